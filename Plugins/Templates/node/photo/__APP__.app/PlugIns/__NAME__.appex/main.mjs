// A photo editor that writes the photo as it is, until you change the bytes.

import * as annex from "./annex/index.mjs";
import { __NAME__ } from "./photo.mjs";

annex.run(new __NAME__());
