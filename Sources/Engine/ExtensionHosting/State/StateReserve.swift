import CLinux
import ExtensionProtocol
import Files
import Glibc

/// Disk space that a state folder holds in reserve, so that a host can write its own records when an extension or
/// another program has filled the disk.
///
/// The reserve is a file of zeros. When the disk is full a part of it is freed, the record is written, and the file
/// then grows again as far as it can: a record that is replaced frees the space of the old one.
enum StateReserve {
  /// The name of the file in the state folder.
  static let name = "reserve"
  /// Bytes: some hundred records.
  static let size = 1 << 20
  /// The number of bytes that are freed at once.
  private static let step = 64 << 10
  /// A record lies in the state folder, or in a folder of it.
  private static let depth = 3

  /// Holds the space ready. A disk that has none is no reason to stop: then there is less, or nothing.
  ///
  /// - Parameter folder: the state folder.
  static func keep(in folder: String) {
    let path = "\(folder)/\(name)"
    if let status = FileStatus(path), status.kind != .regular || status.size >= size { return }
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    fill(descriptor)
    close(descriptor)
  }

  /// Writes a record; where the disk is full, with space that was held ready.
  ///
  /// - Parameters:
  ///   - path: of the record, in a state folder or below.
  ///   - write: leaves nothing behind when it throws.
  static func lending<Result>(
    to path: String, _ write: () throws(FileError) -> Result
  ) throws(FileError) -> Result {
    do {
      return try write()
    } catch {
      guard error.isFullDisk, let reserve = open(above: path) else { throw error }
      defer { close(reserve) }
      var last = error
      while giveBack(reserve) {
        do {
          let result = try write()
          fill(reserve)
          return result
        } catch {
          guard error.isFullDisk else { throw error }
          last = error
        }
      }
      throw last
    }
  }

  private static func open(above path: String) -> Int32? {
    var folder = path
    for _ in 0..<depth {
      folder = Folder.parent(of: folder)
      let descriptor = Glibc.open("\(folder)/\(name)", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      if descriptor >= 0 { return descriptor }
    }
    return nil
  }

  /// - Returns: whether there was something to give.
  private static func giveBack(_ descriptor: Int32) -> Bool {
    var info = stat()
    guard fstat(descriptor, &info) == 0, info.st_size > 0 else { return false }
    return ftruncate(descriptor, max(0, info.st_size - step)) == 0
  }

  private static func fill(_ descriptor: Int32) {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { return }
    var length = Int(info.st_size)
    while length < size, posix_fallocate(descriptor, length, step) == 0 { length += step }
    // What could be taken of the last step only in part would not be known of.
    if length < size { _ = ftruncate(descriptor, length) }
  }
}

extension FileError {
  /// Whether there is no space for a file, or for one of this user.
  var isFullDisk: Bool { kind == .system(SystemError(ENOSPC)) || kind == .system(SystemError(EDQUOT)) }
}
