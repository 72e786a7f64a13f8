import os
import sys
import unittest

FOLDER = os.path.join(os.path.dirname(__file__), "..", "__APP__.app", "PlugIns", "__NAME__.appex")
sys.path.insert(0, FOLDER)

from annex.testing import TestHost
from main import __NAME__


class ProviderTests(unittest.TestCase):
    def test_names_a_document_by_its_path(self):
        with TestHost(__NAME__()) as host:
            storage = {"group": "group.__APP_ID__", "path": "File Provider Storage"}
            answer = host.call("provider/identifierForItem", {"path": "a.txt", "documentStorage": storage})
            self.assertEqual(answer, {"identifier": "a.txt"})


if __name__ == "__main__":
    unittest.main()
