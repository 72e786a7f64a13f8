import assert from "node:assert/strict";
import { test } from "node:test";

import { TestHost } from "../__APP__.app/PlugIns/__NAME__.appex/annex/testing.mjs";
import { TEXTS, __NAME__ } from "../__APP__.app/PlugIns/__NAME__.appex/picker.mjs";

test("the picker lists its texts", async () => {
  await TestHost.with(new __NAME__(), {}, async (host) => {
    await host.call("picker/prepare", { requestID: "1", mode: "import" });
    const { entries } = await host.call("picker/list", { requestID: "1" });
    assert.deepEqual(entries.map((entry) => entry.name), Object.keys(TEXTS));
  });
});
