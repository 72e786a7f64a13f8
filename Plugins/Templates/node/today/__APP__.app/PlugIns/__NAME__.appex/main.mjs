// A Today widget that counts how often it was looked at.

import * as annex from "./annex/index.mjs";
import { __NAME__ } from "./widget.mjs";

annex.run(new __NAME__());
