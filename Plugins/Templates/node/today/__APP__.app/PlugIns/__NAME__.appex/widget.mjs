import * as annex from "./annex/index.mjs";

export class __NAME__ extends annex.TodayExtension {
  async performUpdate(context) {
    const visits = await context.defaults("group.__APP_ID__").add("visits");
    return annex.newData({ title: "__APP__", text: `Visit ${visits}` });
  }
}
