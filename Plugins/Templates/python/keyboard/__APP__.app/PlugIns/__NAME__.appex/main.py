"""A keyboard that types in capitals."""

import annex

KEYS = {"return": "\n", "space": " ", "tab": "\t"}


class __NAME__(annex.Extension):
    @annex.serves("keyboard/begin")
    def begin(self, params, context):
        return {"primaryLanguage": "en-US", "layout": [list("QWERTYUIOP"), list("ASDFGHJKL"), list("ZXCVBNM")]}

    @annex.serves("keyboard/input")
    def input(self, params, context):
        key = params["event"]["key"]
        if key == "delete":
            return {"edits": [{"deleteBackward": 1}]}
        if key == "nextKeyboard":
            context.call("keyboard/advanceToNextInputMode", {"sessionID": params["sessionID"]})
            return {"edits": []}
        return {"edits": [{"insertText": KEYS.get(key, key.upper())}]}

    @annex.serves("keyboard/end")
    def end(self, params, context):
        return {}


if __name__ == "__main__":
    annex.run(__NAME__())
