"""A Today widget that counts how often it was looked at."""

import annex


class __NAME__(annex.TodayExtension):
    def perform_update(self, context):
        visits = context.defaults("group.__APP_ID__").add("visits")
        return annex.new_data(f"Visit {visits}", title="__APP__")


if __name__ == "__main__":
    annex.run(__NAME__())
