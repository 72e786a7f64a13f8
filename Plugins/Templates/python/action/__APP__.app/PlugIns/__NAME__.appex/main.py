"""Counts the words of each text."""

import annex


class __NAME__(annex.ActionExtension):
    def perform(self, items, context):
        texts = [context.text(attachment) for attachment in annex.attachments(items)]
        return [annex.text_item(f"{len(text.split())} words") for text in texts]


if __name__ == "__main__":
    annex.run(__NAME__())
