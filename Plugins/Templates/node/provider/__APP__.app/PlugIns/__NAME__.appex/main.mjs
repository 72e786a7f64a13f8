// A file provider whose documents are made when somebody reads them.

import * as annex from "./annex/index.mjs";
import { __NAME__ } from "./provider.mjs";

annex.run(new __NAME__());
