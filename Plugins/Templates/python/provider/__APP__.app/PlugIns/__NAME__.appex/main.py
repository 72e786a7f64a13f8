"""A file provider whose documents are made when somebody reads them: put what fetches yours into `content`."""

import os

import annex


def content(path):
    return f"This is {path}.\n".encode()


class __NAME__(annex.Extension):
    def place(self, params, context):
        """The absolute path of a document in the group's folder."""
        path, storage = params["path"], params["documentStorage"]
        if path.startswith("/") or ".." in path.split("/") or not path:
            raise annex.Error("invalidParams", "This is not the path of a document.")
        return os.path.join(context.container(storage["group"])["path"], storage["path"], path)

    @annex.serves("provider/itemForIdentifier")
    def item(self, params, context):
        return {"path": params["identifier"]}

    @annex.serves("provider/identifierForItem")
    def identifier(self, params, context):
        return {"identifier": params["path"]}

    @annex.serves("provider/providePlaceholder")
    def placeholder(self, params, context):
        self.place(params, context)
        path = params["path"]
        about = {"name": path.split("/")[-1], "size": len(content(path)), "isPackage": False}
        context.call("provider/writePlaceholder", {"path": path, "metadata": about})
        return {}

    @annex.serves("provider/startProviding")
    def start(self, params, context):
        place = self.place(params, context)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        # Written beside its place, and moved there when it is whole.
        part = os.path.join(os.path.dirname(place), f".{os.urandom(8).hex()}.part")
        with open(part, "wb") as file:
            file.write(content(params["path"]))
        os.replace(part, place)
        return {}

    @annex.serves("provider/itemChanged")
    def changed(self, params, context):
        self.place(params, context)
        return {}

    @annex.serves("provider/stopProviding")
    def stop(self, params, context):
        place = self.place(params, context)
        if os.path.lexists(place):
            os.remove(place)
        return {}


if __name__ == "__main__":
    annex.run(__NAME__())
