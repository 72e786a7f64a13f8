"""A document picker that offers texts of its own for import."""

import os

import annex

TEXTS = {"welcome.txt": "Welcome to __APP__.\n", "thanks.txt": "Thank you.\n"}


class __NAME__(annex.Extension):
    def __init__(self):
        self.open = set()

    def check(self, params):
        if params["requestID"] not in self.open:
            raise annex.Error("requestUnknown", "This picker is not open.")

    @annex.serves("picker/prepare")
    def prepare(self, params, context):
        self.open.add(params["requestID"])
        return {}

    @annex.serves("picker/list")
    def list(self, params, context):
        self.check(params)
        if params.get("directory"):
            return {"entries": []}
        return {
            "entries": [
                {"identifier": name, "name": name, "type": "public.plain-text", "size": len(text.encode()),
                 "local": True, "enabled": True}
                for name, text in TEXTS.items()
            ]
        }

    @annex.serves("picker/select")
    def select(self, params, context):
        self.check(params)
        name = params.get("identifier")
        if name not in TEXTS:
            raise annex.Error("invalidParams", "There is no such text.")
        # A path in the scratch directory; the host hands a copy to the app that asked.
        with open(os.path.join(context.scratch, name), "w", encoding="utf-8") as file:
            file.write(TEXTS[name])
        grant = {"requestID": params["requestID"], "url": name, "directory": "scratch"}
        context.call("picker/dismissGrantingAccess", grant)
        self.open.discard(params["requestID"])
        return {}

    @annex.hears("context/cancel")
    def cancel(self, params, context):
        self.open.discard(params["requestID"])


if __name__ == "__main__":
    annex.run(__NAME__())
