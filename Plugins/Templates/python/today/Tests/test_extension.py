import os
import sys
import unittest

FOLDER = os.path.join(os.path.dirname(__file__), "..", "__APP__.app", "PlugIns", "__NAME__.appex")
sys.path.insert(0, FOLDER)

from annex.testing import TestHost
from main import __NAME__


class WidgetTests(unittest.TestCase):
    def test_counts_its_visits(self):
        with TestHost(__NAME__(), defaults={"group.__APP_ID__": {"visits": 41}}) as host:
            self.assertEqual(host.perform_update()["view"]["text"], "Visit 42")


if __name__ == "__main__":
    unittest.main()
