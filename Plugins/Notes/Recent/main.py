"""A Today widget in Python: the latest notes, and with a content server an adventure beside them."""

import annex

SUITE = "group.com.example.notes"


class Recent(annex.TodayExtension):
    def perform_update(self, context):
        notes = context.defaults(SUITE).get("notes", [])
        rows = [{"title": str(note)} for note in notes[: 3 if context.display_mode == "compact" else 20]]
        try:
            adventures = context.content("wknd-shared/adventures-all")["data"]["adventureList"]["items"]
            rows += [{"title": adventure["title"], "subtitle": "An adventure"} for adventure in adventures[:1]]
        except annex.Error as error:
            # Without a server, without its permission: the notes are shown all the same.
            context.log("info", f"There is no content: {error.message}")
        return annex.new_data(None if rows else "There are no notes yet.", title="Notes", rows=rows)

    def memory_pressure(self, level, usage, limit):
        print(f"{usage >> 20} of {limit >> 20} MiB are in use")


if __name__ == "__main__":
    annex.run(Recent())
