import assert from "node:assert/strict";
import { test } from "node:test";

import { textItem } from "../__APP__.app/PlugIns/__NAME__.appex/annex/index.mjs";
import { TestHost } from "../__APP__.app/PlugIns/__NAME__.appex/annex/testing.mjs";
import { __NAME__ } from "../__APP__.app/PlugIns/__NAME__.appex/action.mjs";

test("the action writes capitals", async () => {
  await TestHost.with(new __NAME__(), {}, async (host) => {
    const items = await host.perform([textItem("One two")]);
    assert.equal(items[0].attachments[0].inline.value, "ONE TWO");
  });
});
