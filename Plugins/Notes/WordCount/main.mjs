// An Action extension for Node: counts the words of each text.

import * as annex from "./annex/index.mjs";

class WordCount extends annex.ActionExtension {
  async perform(items, context) {
    const attachments = annex.attachments(items);
    const counts = [];
    for (const [index, attachment] of attachments.entries()) {
      const words = (await context.text(attachment)).split(/\s+/).filter(Boolean);
      counts.push(annex.textItem(`${words.length} words`, { name: attachment.suggestedName }));
      context.progress(index + 1, attachments.length);
    }
    if (counts.length === 0) throw new annex.RequestCancelled("WordCount", 1, "There is no text to count.");
    return counts;
  }
}

annex.run(new WordCount());
