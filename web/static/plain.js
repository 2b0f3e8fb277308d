// A page that is read and does nothing by itself.

import { wake } from "./wake.js";

wake();
