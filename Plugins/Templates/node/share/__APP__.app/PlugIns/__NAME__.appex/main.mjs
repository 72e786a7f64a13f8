// Keeps what the user shares in the group store.

import * as annex from "./annex/index.mjs";
import { __NAME__ } from "./share.mjs";

annex.run(new __NAME__());
