import ExtensionProtocol
import Glibc

/// A file that the host puts into a scratch directory for an extension to read.
enum GrantedFile {
  /// - Parameter name: foreign characters are replaced; an existing file of that name is not.
  /// - Returns: the file's name below the scratch directory.
  static func write(
    _ bytes: [UInt8], name: String, in scratch: String, owner: ExtensionUser?
  ) throws(ExtensionError) -> String {
    let safe = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" }.prefix(64))
    var template = Array("\(scratch)/\(safe)-XXXXXX".utf8CString)
    let descriptor = mkostemp(&template, O_CLOEXEC)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard descriptor >= 0 else {
      throw ExtensionError(.storeFailed, "Cannot create a file in \(scratch): \(ErrnoText.of(errno)).")
    }
    defer { close(descriptor) }
    if let owner, fchown(descriptor, owner.uid, owner.gid) != 0 {
      throw ExtensionError(.storeFailed, "Cannot give away \(path): \(ErrnoText.of(errno)).")
    }
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else {
        throw ExtensionError(.storeFailed, "Cannot write \(path): \(ErrnoText.of(errno)).")
      }
      written += max(0, count)
    }
    return String(path.dropFirst(scratch.count + 1))
  }
}
