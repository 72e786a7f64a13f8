import CLinux
import Glibc

extension File {
  /// Makes a file that did not exist, under exactly this name, and writes all of the bytes. Nothing is looked at before:
  /// whatever has the name at that moment, a link included, is left alone.
  ///
  /// - Parameters:
  ///   - bytes: what it holds.
  ///   - path: the file. Its mode is that of every new file of this process.
  /// - Throws: `FileError`, with EEXIST when the name is taken. A file that could not be written whole is removed.
  package static func writeNew(_ bytes: [UInt8], to path: String) throws(FileError) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw .cannot("write", path) }
    var failure: SystemError?
    if unsafe clinux_write_all(descriptor, bytes, bytes.count) != 0 { failure = .last }
    if close(descriptor) != 0, failure == nil { failure = .last }
    guard let failure else { return }
    remove(path)
    throw .cannot("write", path, failure)
  }
}
