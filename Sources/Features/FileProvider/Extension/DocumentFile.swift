import ExtensionProtocol
import Files
import Glibc

/// Files of the document storage, from the extension's side.
enum DocumentFile {
  static func read(_ path: String, from offset: Int64, count: Int) throws(ExtensionError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure("read", path) }
    defer { close(descriptor) }
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { throw failure("read", path) }
    let length = max(0, min(count, Int(clamping: Int64(info.st_size) - offset)))
    var bytes = [UInt8](repeating: 0, count: length)
    var filled = 0
    while filled < length {
      let got = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress?.advanced(by: filled), length - filled, off_t(offset) + off_t(filled))
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw failure("read", path) }
      if got == 0 { break }
      filled += got
    }
    bytes.removeLast(length - filled)
    return bytes
  }

  static func makeFolders(above path: String) throws(ExtensionError) {
    let folder = Folder.parent(of: path)
    guard folder != ".", folder != "/" else { return }
    if mkdir(folder, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT else { throw failure("make", folder) }
    try makeFolders(above: folder)
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw failure("make", folder) }
  }

  static func failure(_ verb: String, _ path: String) -> ExtensionError {
    let name = Folder.name(of: path)
    let reason = SystemError.last.description
    return errno == ENOSPC || errno == EFBIG
      ? .fileProvider(.insufficientQuota, "Cannot \(verb) “\(name)”: \(reason).")
      : .fileProvider(.noSuchItem, "Cannot \(verb) “\(name)”: \(reason).")
  }
}
