import os
import sys
import unittest

FOLDER = os.path.join(os.path.dirname(__file__), "..", "__APP__.app", "PlugIns", "__NAME__.appex")
sys.path.insert(0, FOLDER)

from annex.testing import TestHost
from main import __NAME__


class KeyboardTests(unittest.TestCase):
    def test_types_capitals(self):
        with TestHost(__NAME__()) as host:
            answer = host.call("keyboard/input", {"sessionID": "1", "event": {"kind": "key", "key": "a"}})
            self.assertEqual(answer["edits"], [{"insertText": "A"}])


if __name__ == "__main__":
    unittest.main()
