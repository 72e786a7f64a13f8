// A keyboard that types in capitals.

import * as annex from "./annex/index.mjs";
import { __NAME__ } from "./keyboard.mjs";

annex.run(new __NAME__());
