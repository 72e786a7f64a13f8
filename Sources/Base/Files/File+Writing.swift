import CLinux
import Glibc

/// Makes files: always with a name that nothing had before, readable by the owner alone, and whole or not at all.
extension File {
  /// A user and a group that a file is given to.
  package typealias Owner = (user: UInt32, group: UInt32)

  /// A file that was just made.
  package struct New: Sendable {
    /// Open for writing; the caller closes it.
    package let descriptor: Int32
    /// The path of the file.
    package let path: String
  }

  /// Makes an empty file that did not exist.
  ///
  /// - Parameter beginning: the path, to which some random characters are added.
  /// - Throws: `FileError`.
  package static func create(beginning: String) throws(FileError) -> New {
    for _ in 0..<100 {
      let path = "\(beginning).\(String(UInt64.random(in: 0...(.max)), radix: 36))"
      let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if descriptor >= 0 { return New(descriptor: descriptor, path: path) }
      guard errno == EEXIST else { break }
    }
    throw .cannot("write", beginning)
  }

  /// Makes a file that did not exist and writes all of the bytes.
  ///
  /// - Parameters:
  ///   - bytes: what is written.
  ///   - beginning: the path, to which some random characters are added.
  ///   - owner: whom the file is given to; the process's own user and group when absent.
  ///   - isDurable: whether the bytes are on the disk when this returns, which can take long.
  /// - Returns: the path. A file that could not be written whole is removed.
  /// - Throws: `FileError`.
  package static func write(
    _ bytes: [UInt8], beginning: String, owner: Owner? = nil, isDurable: Bool = false
  ) throws(FileError) -> String {
    let new = try create(beginning: beginning)
    var failure: SystemError?
    if let owner, fchown(new.descriptor, owner.user, owner.group) != 0 { failure = .last }
    if failure == nil, unsafe clinux_write_all(new.descriptor, bytes, bytes.count) != 0 { failure = .last }
    if failure == nil, isDurable, fsync(new.descriptor) != 0 { failure = .last }
    if close(new.descriptor) != 0, failure == nil { failure = .last }
    guard let failure else { return new.path }
    remove(new.path)
    throw .cannot("write", new.path, failure)
  }

  /// Writes a new file beside the old one and puts it in its place: a crash of this process leaves the one or the other.
  ///
  /// - Parameters:
  ///   - path: the file, which need not exist.
  ///   - bytes: what it holds afterwards.
  ///   - beginning: how the path of the new file begins until then, in the same folder; as the old one when absent.
  ///   - isDurable: whether a crash of the machine must leave the new file too, once this has returned: waits for the disk.
  /// - Throws: `FileError`; the old file is then as it was.
  package static func replace(
    _ path: String, with bytes: [UInt8], beginning: String? = nil, isDurable: Bool = false
  ) throws(FileError) {
    let new = try write(bytes, beginning: beginning ?? path, isDurable: isDurable)
    guard unsafe rename(new, path) == 0 else {
      let error = SystemError.last
      remove(new)
      throw .cannot("write", path, error)
    }
    if isDurable { Folder.synchronize(Folder.parent(of: path)) }
  }

  /// Sets the permissions of a file or folder; a link is followed.
  ///
  /// - Parameter mode: the permissions, without the kind.
  /// - Throws: `FileError`.
  package static func setMode(_ path: String, _ mode: UInt32) throws(FileError) {
    guard unsafe chmod(path, mode) == 0 else { throw .cannot("set the mode of", path) }
  }

  /// Removes a file, when there is one.
  package static func remove(_ path: String) { _ = unsafe unlink(path) }

  /// Moves a file to the name `PATH.WORD-STAMP`, so that its contents are kept and a new file can begin.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - word: the reason, for the new name.
  ///   - stamp: the time, for the new name: `20261120T221500.123456Z`.
  /// - Returns: the new path; `nil` when the file could not be moved, with the reason in `errno`.
  package static func setAside(_ path: String, as word: String, at stamp: String) -> String? {
    let target = "\(path).\(word)-\(stamp)"
    return unsafe rename(path, target) == 0 ? target : nil
  }

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
