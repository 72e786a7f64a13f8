import * as annex from "./annex/index.mjs";

export class __NAME__ extends annex.ShareExtension {
  placeholder = "What do you want to say?";

  charactersRemaining(post) {
    return 280 - post.text.length;
  }

  async didSelectPost(post, context) {
    await context.defaults("group.__APP_ID__").set("latest", post.text);
    return [annex.textItem(`Shared: ${post.text}`)];
  }
}
