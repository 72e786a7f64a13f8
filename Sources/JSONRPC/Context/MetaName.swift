import Glibc

extension MessageMeta {
  /// Whether some text has the name `"_meta"` anywhere: nearly all have not, and are not looked at twice.
  @unsafe static func hasName(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let base = text.baseAddress else { return false }
    let name: StaticString = "\"_meta\""
    let count = name.utf8CodeUnitCount
    var at = 1
    while at + count - 1 <= text.count {
      guard let found = unsafe memchr(base + at, 0x5F, text.count - at) else { return false }
      let start = unsafe UnsafeRawPointer(found) - base - 1
      if start + count <= text.count, unsafe memoryIsEqual(base + start, UnsafeRawPointer(name.utf8Start), count) {
        return true
      }
      at = start + 2
    }
    return false
  }
}
