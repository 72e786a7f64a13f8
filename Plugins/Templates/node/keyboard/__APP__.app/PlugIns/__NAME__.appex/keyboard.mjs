import * as annex from "./annex/index.mjs";

const LAYOUT = ["QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"].map((row) => [...row]);
const KEYS = { return: "\n", space: " ", tab: "\t" };

export class __NAME__ extends annex.Extension {
  handlers() {
    return {
      ...super.handlers(),
      "keyboard/begin": async () => ({ primaryLanguage: "en-US", layout: LAYOUT }),
      "keyboard/input": (params, context) => this.input(params, context),
      "keyboard/end": async () => ({}),
    };
  }

  async input({ sessionID, event }, context) {
    if (event.key === "delete") return { edits: [{ deleteBackward: 1 }] };
    if (event.key === "nextKeyboard") {
      await context.call("keyboard/advanceToNextInputMode", { sessionID });
      return { edits: [] };
    }
    return { edits: [{ insertText: KEYS[event.key] ?? event.key.toUpperCase() }] };
  }
}
