import os
import sys
import unittest

FOLDER = os.path.join(os.path.dirname(__file__), "..", "__APP__.app", "PlugIns", "__NAME__.appex")
sys.path.insert(0, FOLDER)

from annex.testing import TestHost
from main import __NAME__


class PhotoTests(unittest.TestCase):
    def test_takes_its_own_edits_up(self):
        with TestHost(__NAME__()) as host:
            for format, answer in [("__ID__", True), ("org.example.other", False)]:
                data = {"formatIdentifier": format, "formatVersion": "1", "data": ""}
                self.assertEqual(host.call("photo/canHandleAdjustmentData", data), {"canHandle": answer})


if __name__ == "__main__":
    unittest.main()
