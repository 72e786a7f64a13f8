/// Where a path lies, by whole names and byte by byte as the kernel compares them: two spellings of “é” are two names.
/// Nothing is resolved: both are absolute, or both relative to the same folder, without a slash at the end, `..` and
/// links.
extension String {
  /// Whether the path lies below a folder.
  package func isBelow(_ folder: String) -> Bool { part(below: folder) != nil }

  /// Whether the path is the folder or lies below it.
  package func isBelowOrEqual(_ folder: String) -> Bool {
    utf8.elementsEqual(folder.utf8) || isBelow(folder)
  }

  /// The path as it is written from a folder that it lies below; `nil` for any other, and for the folder itself.
  package func part(below folder: String) -> String? {
    guard utf8.starts(with: folder.utf8) else { return nil }
    var rest = utf8.dropFirst(folder.utf8.count)
    if folder != "/" { guard rest.popFirst() == UInt8(ascii: "/") else { return nil } }
    return rest.isEmpty ? nil : String(rest)
  }
}
