import assert from "node:assert/strict";
import { test } from "node:test";

import { TestHost } from "../__APP__.app/PlugIns/__NAME__.appex/annex/testing.mjs";
import { __NAME__ } from "../__APP__.app/PlugIns/__NAME__.appex/share.mjs";

test("the share extension keeps what was shared", async () => {
  await TestHost.with(new __NAME__(), { defaults: { "group.__APP_ID__": {} } }, async (host) => {
    const items = await host.post("See you there");
    assert.equal(items[0].attachments[0].inline.value, "Shared: See you there");
    assert.equal(host.defaults["group.__APP_ID__"].latest, "See you there");
  });
});
