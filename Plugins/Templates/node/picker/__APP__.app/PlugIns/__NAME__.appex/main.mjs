// A document picker that offers texts of its own for import.

import * as annex from "./annex/index.mjs";
import { __NAME__ } from "./picker.mjs";

annex.run(new __NAME__());
