"""Keeps what the user shares in the group store."""

import annex


class __NAME__(annex.ShareExtension):
    placeholder = "What do you want to say?"

    def characters_remaining(self, post):
        return 280 - len(post.text)

    def did_select_post(self, post, context):
        context.defaults("group.__APP_ID__").set("latest", post.text)
        return [annex.text_item(f"Shared: {post.text}")]


if __name__ == "__main__":
    annex.run(__NAME__())
