// Starts the page's parts. Each module finds its own elements; the page stays readable when none of this runs.

import { watchActions } from "./actions.js";
import { watchEditor } from "./editor.js";
import { followGame } from "./live.js";
import { watchPieces } from "./piece.js";
import { watchSetup } from "./setup.js";
import { watchWindows } from "./windows.js";

watchWindows();
watchActions();
watchPieces();
watchEditor();
watchSetup();
followGame();
