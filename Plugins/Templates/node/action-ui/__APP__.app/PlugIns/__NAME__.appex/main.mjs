// Shows the texts, and returns them in capitals when the user agrees.

import * as annex from "./annex/index.mjs";
import { __NAME__ } from "./action.mjs";

annex.run(new __NAME__());
