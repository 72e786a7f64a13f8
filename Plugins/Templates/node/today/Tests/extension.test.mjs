import assert from "node:assert/strict";
import { test } from "node:test";

import { TestHost } from "../__APP__.app/PlugIns/__NAME__.appex/annex/testing.mjs";
import { __NAME__ } from "../__APP__.app/PlugIns/__NAME__.appex/widget.mjs";

test("the widget counts its visits", async () => {
  const defaults = { "group.__APP_ID__": { visits: 41 } };
  await TestHost.with(new __NAME__(), { defaults }, async (host) => {
    assert.equal((await host.performUpdate()).view.text, "Visit 42");
  });
});
