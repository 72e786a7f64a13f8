import os
import sys
import unittest

FOLDER = os.path.join(os.path.dirname(__file__), "..", "__APP__.app", "PlugIns", "__NAME__.appex")
sys.path.insert(0, FOLDER)

from annex.testing import TestHost
from main import __NAME__


class ShareTests(unittest.TestCase):
    def test_keeps_what_was_shared(self):
        with TestHost(__NAME__(), defaults={"group.__APP_ID__": {}}) as host:
            items = host.post("See you there")
            self.assertEqual(items[0]["attachments"][0]["inline"]["value"], "Shared: See you there")
            self.assertEqual(host.defaults["group.__APP_ID__"]["latest"], "See you there")


if __name__ == "__main__":
    unittest.main()
