import assert from "node:assert/strict";
import { test } from "node:test";

import { TestHost } from "../__APP__.app/PlugIns/__NAME__.appex/annex/testing.mjs";
import { __NAME__ } from "../__APP__.app/PlugIns/__NAME__.appex/keyboard.mjs";

test("the keyboard types capitals", async () => {
  await TestHost.with(new __NAME__(), {}, async (host) => {
    const answer = await host.call("keyboard/input", { sessionID: "1", event: { kind: "key", key: "a" } });
    assert.deepEqual(answer.edits, [{ insertText: "A" }]);
  });
});
