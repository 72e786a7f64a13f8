import os
import sys
import unittest

FOLDER = os.path.join(os.path.dirname(__file__), "..", "__APP__.app", "PlugIns", "__NAME__.appex")
sys.path.insert(0, FOLDER)

from annex.testing import TestHost
from main import TEXTS, __NAME__


class PickerTests(unittest.TestCase):
    def test_lists_its_texts(self):
        with TestHost(__NAME__()) as host:
            host.call("picker/prepare", {"requestID": "1", "mode": "import"})
            entries = host.call("picker/list", {"requestID": "1"})["entries"]
            self.assertEqual([entry["name"] for entry in entries], list(TEXTS))


if __name__ == "__main__":
    unittest.main()
