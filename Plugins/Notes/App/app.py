"""The containing app: it takes a note for `notes://add/<text>`."""

import annex

SUITE = "group.com.example.notes"


class Notes(annex.ContainingApp):
    def open_url(self, url, context):
        prefix = "notes://add/"
        if not url.startswith(prefix):
            return None
        notes = context.defaults(SUITE)
        text = url[len(prefix) :]
        notes.set("notes", [text, *notes.get("notes", [])][:20])
        return f"Noted: {text}"


annex.run(Notes())
