"""The app that the extension comes with. A host starts it when somebody opens one of its URLs."""

import os
import sys

# The app and its extension share one copy of the client.
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "PlugIns", "__NAME__.appex"))

import annex


class App(annex.ContainingApp):
    def open_url(self, url, context):
        return f"__APP__ was asked to open {url}."


annex.run(App())
