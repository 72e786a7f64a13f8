import Glibc

extension UnsafeMutablePointer<dirent> {
  /// The bytes of the name of an entry that readdir(3) gave.
  ///
  /// In C the structure has room for the longest name, and an entry in memory is as long as its own. So it must not be
  /// copied: the copy would reach beyond the memory of the last entry, at times into what does not belong to the process.
  package var nameBytes: [UInt8] {
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
    let name = unsafe UnsafeRawPointer(self) + offset
    return unsafe Array(UnsafeRawBufferPointer(start: name, count: strlen(name.assumingMemoryBound(to: CChar.self))))
  }
}
