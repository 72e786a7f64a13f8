// A command that parses its own words offers near misses too.
@_exported public import Text
