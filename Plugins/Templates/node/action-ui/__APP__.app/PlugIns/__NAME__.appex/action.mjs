import * as annex from "./annex/index.mjs";

export class __NAME__ extends annex.ActionExtension {
  async view(items, context) {
    return { title: "In capitals", rows: (await this.texts(items, context)).map((text) => ({ title: text })) };
  }

  async perform(items, context) {
    return (await this.texts(items, context)).map((text) => annex.textItem(text.toUpperCase()));
  }

  texts(items, context) {
    return Promise.all(annex.attachments(items).map((attachment) => context.text(attachment)));
  }
}
