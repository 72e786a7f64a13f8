import assert from "node:assert/strict";
import { test } from "node:test";

import { TestHost } from "../__APP__.app/PlugIns/__NAME__.appex/annex/testing.mjs";
import { __NAME__ } from "../__APP__.app/PlugIns/__NAME__.appex/provider.mjs";

test("the provider names a document by its path", async () => {
  await TestHost.with(new __NAME__(), {}, async (host) => {
    const documentStorage = { group: "group.__APP_ID__", path: "File Provider Storage" };
    const answer = await host.call("provider/identifierForItem", { path: "a.txt", documentStorage });
    assert.deepEqual(answer, { identifier: "a.txt" });
  });
});
