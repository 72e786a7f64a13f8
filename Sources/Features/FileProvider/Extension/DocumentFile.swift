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
    let length = max(0, min(count, Int(clamping: Int64(info.st_size) - max(0, offset))))
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
    do throws(FileError) {
      try Folder.make(folder)
    } catch {
      if case .system(let error) = error.kind { throw failure("make", folder, error) }
      throw .fileProvider(.noSuchItem, "“\(Folder.name(of: folder))” is not a folder.")
    }
  }

  static func failure(_ verb: String, _ path: String, _ error: SystemError = .last) -> ExtensionError {
    let isFull = [ENOSPC, EDQUOT, EFBIG].contains(error.number)
    return .fileProvider(
      isFull ? .insufficientQuota : .noSuchItem, "Cannot \(verb) “\(Folder.name(of: path))”: \(error).")
  }
}
