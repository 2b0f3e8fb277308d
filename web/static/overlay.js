// The overlay for streamers: it shows what happens and takes nothing.

import { followGame } from "./live.js";
import { wake } from "./wake.js";

followGame();
wake();
