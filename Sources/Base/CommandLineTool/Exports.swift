// Who writes a tool offers near misses too.
@_exported public import Text
