import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import * as annex from "./annex/index.mjs";

export const TEXTS = { "welcome.txt": "Welcome to __APP__.\n", "thanks.txt": "Thank you.\n" };

export class __NAME__ extends annex.Extension {
  #open = new Set();

  handlers() {
    return {
      ...super.handlers(),
      "picker/prepare": async ({ requestID }) => {
        this.#open.add(requestID);
        return {};
      },
      "picker/list": async (params) => this.list(params),
      "picker/select": (params, context) => this.select(params, context),
    };
  }

  notifications() {
    return { ...super.notifications(), "context/cancel": ({ requestID }) => this.#open.delete(requestID) };
  }

  #check({ requestID }) {
    if (!this.#open.has(requestID)) throw new annex.AnnexError("requestUnknown", "This picker is not open.");
  }

  list(params) {
    this.#check(params);
    if (params.directory) return { entries: [] };
    const entries = Object.entries(TEXTS).map(([name, text]) => ({
      identifier: name, name, type: "public.plain-text", size: Buffer.byteLength(text), local: true, enabled: true,
    }));
    return { entries };
  }

  async select(params, context) {
    this.#check(params);
    const { requestID, identifier } = params;
    if (!Object.hasOwn(TEXTS, identifier ?? "")) throw new annex.AnnexError("invalidParams", "There is no such text.");
    // A path in the scratch directory; the host hands a copy to the app that asked.
    await writeFile(join(context.scratch, identifier), TEXTS[identifier]);
    await context.call("picker/dismissGrantingAccess", { requestID, url: identifier, directory: "scratch" });
    this.#open.delete(requestID);
    return {};
  }
}
