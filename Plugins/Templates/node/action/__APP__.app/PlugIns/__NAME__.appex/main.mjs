// Counts the words of each text.

import * as annex from "./annex/index.mjs";
import { __NAME__ } from "./action.mjs";

annex.run(new __NAME__());
