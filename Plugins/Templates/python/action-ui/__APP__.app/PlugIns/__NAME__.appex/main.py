"""Shows the texts, and returns them in capitals when the user agrees."""

import annex


class __NAME__(annex.ActionExtension):
    def view(self, items, context):
        rows = [{"title": context.text(attachment)} for attachment in annex.attachments(items)]
        return {"title": "In capitals", "rows": rows}

    def perform(self, items, context):
        texts = [context.text(attachment) for attachment in annex.attachments(items)]
        return [annex.text_item(text.upper()) for text in texts]


if __name__ == "__main__":
    annex.run(__NAME__())
