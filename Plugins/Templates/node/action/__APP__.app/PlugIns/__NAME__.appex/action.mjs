import * as annex from "./annex/index.mjs";

export class __NAME__ extends annex.ActionExtension {
  async perform(items, context) {
    const texts = await Promise.all(annex.attachments(items).map((attachment) => context.text(attachment)));
    return texts.map((text) => annex.textItem(`${text.split(/\s+/).filter(Boolean).length} words`));
  }
}
