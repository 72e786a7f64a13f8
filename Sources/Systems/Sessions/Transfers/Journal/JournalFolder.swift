internal import CLinux
internal import EventLoop
internal import Files
internal import Glibc

/// The files of a journal: parts of downloads, and copies of what is uploaded. Each has a name of its own that no other
/// had before.
///
/// Who makes a file locks it at once, under the journal's gate. So whoever clears up, under the gate too, knows what
/// is still being made from what a process left behind that has ended.
struct JournalFolder: Sendable {
  /// A file in the folder.
  struct Copy: Sendable {
    let name: String
    let size: Int64
  }

  let path: String

  private var files: String { "\(path)/files" }

  func path(of name: String) -> String { "\(files)/\(name)" }

  func make() throws(TransferError) {
    do throws(FileError) { try Folder.make(files) } catch { throw .file(error) }
  }

  /// Whether a name is one of those that ``create()`` gives.
  static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 64
      && name.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 || $0 >= 0x61 && $0 <= 0x7A || $0 == 0x2E }
  }

  /// Makes an empty file, open for reading and writing and locked for as long as it is open. The caller has the gate.
  func create() throws(TransferError) -> OpenFile {
    for _ in 0..<100 {
      let name = String(UInt64.random(in: 0...(.max)), radix: 36)
      let path = path(of: name)
      let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if descriptor >= 0 {
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
        return OpenFile(name: name, descriptor: descriptor)
      }
      guard errno == EEXIST else { break }
    }
    throw .file(.cannot("write in", files))
  }

  /// Opens a file that is there, and locks it.
  ///
  /// - Returns: `nil` when there is no such file, or it is no file.
  func open(_ name: String, forWriting: Bool) -> OpenFile? {
    let flags = (forWriting ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    let descriptor = unsafe Glibc.open(path(of: name), flags)
    guard descriptor >= 0 else { return nil }
    let file = OpenFile(name: name, descriptor: descriptor)
    guard file.size != nil else { return nil }
    _ = flock(descriptor, (forWriting ? LOCK_EX : LOCK_SH) | LOCK_NB)
    return file
  }

  /// Removes a file. The name is gone at once; a large file gives its blocks back on a thread of its own, since that takes
  /// a tenth of a second and more, and all other transfers would wait for it.
  func remove(_ name: String) {
    let path = path(of: name)
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    File.remove(path)
    guard descriptor >= 0 else { return }
    var status = stat()
    let isLarge = unsafe fstat(descriptor, &status) == 0 && status.st_size > 16 << 20
    guard !isLarge || SystemThread.start(name: "annex-remove", { close(descriptor) }) != 0 else { return }
    close(descriptor)
  }

  /// Removes the files that nobody makes and no task needs. The caller has the gate.
  func sweep(except needed: Set<String>) {
    for name in Folder.names(in: files) where !needed.contains(name) {
      let descriptor = unsafe Glibc.open(path(of: name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(name) }
      close(descriptor)
    }
  }

  /// Has the disk keep the names of new files.
  func synchronize() { Folder.synchronize(files) }
}

/// A file of the journal while it is open, which locks it.
final class OpenFile: Sendable {
  let name: String
  let descriptor: Int32

  init(name: String, descriptor: Int32) { (self.name, self.descriptor) = (name, descriptor) }

  deinit { close(descriptor) }

  /// Has the disk keep what it holds. Blocks.
  ///
  /// - Returns: whether it does.
  func synchronize() -> Bool { fdatasync(descriptor) == 0 }

  /// `nil` when it is no regular file.
  var size: Int64? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(status.st_size)
  }
}

extension TransferError {
  static func file(_ error: FileError) -> TransferError {
    .unavailable(
      error.message, recovery: error.recovery ?? "Check that the folder has space and may be written by this user.",
      isRetryable: true)
  }
}
