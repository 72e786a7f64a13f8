"""A photo editor that writes the photo as it is: change the bytes in `edited`."""

import base64
import os

import annex

FORMAT = "__ID__"


class __NAME__(annex.Extension):
    def __init__(self):
        self.photos = {}

    def edited(self, photo, options):
        return photo

    @annex.serves("photo/canHandleAdjustmentData")
    def can_handle(self, params, context):
        return {"canHandle": params["formatIdentifier"] == FORMAT}

    @annex.serves("photo/startContentEditing")
    def start(self, params, context):
        self.photos[params["sessionID"]] = params["input"]
        return {}

    @annex.serves("photo/shouldShowCancelConfirmation")
    def should_confirm(self, params, context):
        return {"show": False}

    @annex.serves("photo/finishContentEditing")
    def finish(self, params, context):
        photo = self.photos.pop(params["sessionID"], None)
        if photo is None:
            raise annex.Error("invalidParams", "This session has not begun.")
        # Paths are relative to the scratch directory.
        with open(os.path.join(context.scratch, photo["fullSizeImagePath"]), "rb") as file:
            result = self.edited(file.read(), photo["options"])
        path = os.path.join(params["outputDirectory"], "rendered")
        with open(os.path.join(context.scratch, path), "wb") as file:
            file.write(result)
        kind = photo["uniformTypeIdentifier"]
        own = base64.b64encode(b"{}").decode()
        return {
            "output": {
                "renderedContent": {"path": path, "type": kind},
                "adjustmentData": {"formatIdentifier": FORMAT, "formatVersion": "1", "data": own},
            }
        }

    @annex.serves("photo/cancelContentEditing")
    def cancel(self, params, context):
        self.photos.pop(params["sessionID"], None)
        return {}


if __name__ == "__main__":
    annex.run(__NAME__())
