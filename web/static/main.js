// Starts the page's parts. Each module finds its own elements; the page stays readable when none of this runs.

import { watchActions } from "./actions.js";
import { watchChoices } from "./choices.js";
import { watchClaims } from "./claims.js";
import { watchCorrections } from "./corrections.js";
import { watchEditor } from "./editor.js";
import { followGame } from "./live.js";
import { watchPast } from "./past.js";
import { watchPin } from "./pin.js";
import { watchVoice } from "./voice.js";
import { wake } from "./wake.js";
import { watchWindows } from "./windows.js";

followGame(); // first, for it remembers the page as the server sent it
watchWindows();
watchActions();
watchChoices();
watchClaims();
watchCorrections();
watchEditor();
watchPast();
watchPin();
watchVoice();
wake();
