import assert from "node:assert/strict";
import { test } from "node:test";

import { TestHost } from "../__APP__.app/PlugIns/__NAME__.appex/annex/testing.mjs";
import { __NAME__ } from "../__APP__.app/PlugIns/__NAME__.appex/photo.mjs";

test("the editor takes its own edits up", async () => {
  await TestHost.with(new __NAME__(), {}, async (host) => {
    for (const [formatIdentifier, canHandle] of [["__ID__", true], ["org.example.other", false]]) {
      const answer = await host.call("photo/canHandleAdjustmentData", { formatIdentifier, formatVersion: "1", data: "" });
      assert.deepEqual(answer, { canHandle });
    }
  });
});
