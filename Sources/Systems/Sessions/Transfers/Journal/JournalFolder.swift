internal import CLinux
internal import EventLoop
internal import Files
internal import Glibc
internal import SQLite

/// The files of a journal: parts of downloads and copies of uploads. Each has a name that was never used before.
///
/// A process that creates a file locks it at once, under the journal's gate. A process that cleans up, also under the
/// gate, can therefore tell a file in use from one that a dead process left behind.
struct JournalFolder: Sendable {
  /// A file in the folder.
  struct Copy: Sendable {
    let name: String
    let size: Int64
  }

  let path: String

  private var files: String { "\(path)/files" }

  func path(of name: String) -> String { "\(files)/\(name)" }

  func make() throws(StoreFailure) {
    do throws(FileError) { try Folder.make(files) } catch { throw StoreFailure(error) }
  }

  /// Whether a name is one of those that ``create()`` gives.
  static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 64
      && name.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 || $0 >= 0x61 && $0 <= 0x7A || $0 == 0x2E }
  }

  /// Creates an empty file, open for reading and writing and locked while it is open. The caller holds the gate.
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

  /// Opens an existing file and locks it.
  ///
  /// - Returns: the file; `nil` when it does not exist or is not a regular file.
  func open(_ name: String, forWriting: Bool) -> OpenFile? {
    let flags = (forWriting ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    let descriptor = unsafe Glibc.open(path(of: name), flags)
    guard descriptor >= 0 else { return nil }
    let file = OpenFile(name: name, descriptor: descriptor)
    guard file.size != nil else { return nil }
    _ = flock(descriptor, (forWriting ? LOCK_EX : LOCK_SH) | LOCK_NB)
    return file
  }

  /// Removes a file. Its name disappears at once. The blocks of a large file are released on another thread, because
  /// that takes a tenth of a second or more and would delay all other transfers.
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

  /// Removes the files that are not locked and that no task needs. The caller holds the gate.
  func sweep(except needed: Set<String>) {
    for name in Folder.names(in: files) where !needed.contains(name) {
      let descriptor = unsafe Glibc.open(path(of: name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(name) }
      close(descriptor)
    }
  }

  /// Flushes the names of new files to the disk.
  func synchronize() { Folder.synchronize(files) }
}

/// An open file of the journal, locked while it is open.
final class OpenFile: Sendable {
  let name: String
  let descriptor: Int32

  init(name: String, descriptor: Int32) { (self.name, self.descriptor) = (name, descriptor) }

  deinit { close(descriptor) }

  /// Flushes the content to the disk. Blocks the thread.
  ///
  /// - Returns: whether it succeeded.
  func synchronize() -> Bool { fdatasync(descriptor) == 0 }

  /// The size in bytes; `nil` when it is not a regular file.
  var size: Int64? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(status.st_size)
  }
}

extension TransferError {
  static func file(_ error: FileError) -> TransferError { TransferError(StoreFailure(error)) }
}
