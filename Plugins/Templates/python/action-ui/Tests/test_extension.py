import os
import sys
import unittest

FOLDER = os.path.join(os.path.dirname(__file__), "..", "__APP__.app", "PlugIns", "__NAME__.appex")
sys.path.insert(0, FOLDER)

import annex
from annex.testing import TestHost
from main import __NAME__


class ActionTests(unittest.TestCase):
    def test_writes_capitals(self):
        with TestHost(__NAME__()) as host:
            items = host.perform([annex.text_item("One two")])
            self.assertEqual(items[0]["attachments"][0]["inline"]["value"], "ONE TWO")


if __name__ == "__main__":
    unittest.main()
