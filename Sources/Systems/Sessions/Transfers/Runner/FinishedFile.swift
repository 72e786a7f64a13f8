internal import CLinux
internal import Cryptography
internal import Files
internal import Glibc
internal import Text

/// A file that was received whole, on its way to where it belongs. Everything here blocks.
package struct FinishedFile: Sendable {
  let descriptor: Int32
  /// The current path of the file.
  let path: String
  let task: Int64
  /// With whose rights the folder is found and made; `nil` for those of this process.
  var user: FileUser?

  /// Flushes the file to the disk.
  func synchronize() -> TransferFailure? {
    fdatasync(descriptor) == 0 ? nil : TransferFailure(writing: .last)
  }

  /// Compares what it holds with a checksum in hexadecimal.
  func check(sha256 expected: String) -> TransferFailure? {
    guard let found = Self.sha256(of: descriptor) else {
      return TransferFailure(
        .cannotOpenFile, "The file that was received cannot be read: \(SystemError.last).",
        recovery: "Download the file again; \"dmesg\" shows errors of the disk.")
    }
    if found == expected.lowercased() { return nil }
    return TransferFailure(
      .badServerResponse, "The file has the SHA-256 checksum \(found), and not the one that was named.",
      recovery: "Check the checksum and the server.")
  }

  /// - Returns: lower-case hexadecimal; `nil` with the reason in `errno`.
  static func sha256(of descriptor: Int32) -> String? {
    var digest = SHA256()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var offset = 0
    while true {
      let count = unsafe pread(descriptor, &buffer, buffer.count, offset)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      digest.update(buffer[..<count])
      offset += count
    }
    return Hexadecimal.text(for: digest.finalize())
  }

  // MARK: Moving

  /// Whether a path is one that a download may have: relative, without `.` and `..`, and with names that a disk takes.
  package static func isDestination(_ path: String) -> Bool { parts(of: path) != nil }

  private static func parts(of path: String) -> [Substring]? {
    guard path.utf8.count <= 4_096, !path.utf8.contains(0), let parts = path.partsBelow else { return nil }
    return parts.allSatisfy { $0.utf8.count <= 255 } ? parts : nil
  }

  /// Puts the file in its place, whatever had the name before. Nothing leads out of the container: no link is followed.
  func move(to destination: String, in container: String) -> TransferFailure? {
    guard let parts = Self.parts(of: destination), let last = parts.last else {
      return cannotMove(destination, SystemError(EINVAL))
    }
    let (folderPath, name) = (parts.dropLast().joined(separator: "/"), String(last))
    let folder = unsafe clinux_make_folder_beneath(container, folderPath, user.rights)
    guard folder >= 0 else { return cannotMove(destination, .last) }
    defer { close(folder) }
    takeOwner(of: folder)
    if unsafe renameat(AT_FDCWD, path, folder, name) != 0 {
      guard errno == EXDEV else { return cannotMove(destination, .last) }
      if let failure = copy(to: name, in: folder, destination) { return failure }
    }
    fsync(folder)
    return nil
  }

  /// The file belongs to whom the folder belongs to, where this process may say so.
  private func takeOwner(of folder: Int32, file: Int32? = nil) {
    var status = stat()
    guard unsafe fstat(folder, &status) == 0, status.st_uid != geteuid() else { return }
    _ = fchown(file ?? descriptor, status.st_uid, status.st_gid)
  }

  /// Copies the file to another file system, under a hidden name first, which a later attempt reuses.
  private func copy(to name: String, in folder: Int32, _ destination: String) -> TransferFailure? {
    let hidden = ".transfer-\(task)"
    unsafe unlinkat(folder, hidden, 0)
    let copy = unsafe openat(folder, hidden, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard copy >= 0 else { return cannotMove(destination, .last) }
    defer { close(copy) }
    takeOwner(of: folder, file: copy)
    let copied = clinux_copy_file(descriptor, copy, .max)
    var failure: TransferFailure?
    if copied < 0 {
      failure = TransferFailure(writing: SystemError(Int32(clamping: -copied)))
    } else if fdatasync(copy) != 0 {
      failure = TransferFailure(writing: .last)
    } else if unsafe renameat(folder, hidden, folder, name) != 0 {
      failure = cannotMove(destination, .last)
    }
    if failure != nil { unsafe unlinkat(folder, hidden, 0) } else { File.remove(path) }
    return failure
  }

  private func cannotMove(_ destination: String, _ error: SystemError) -> TransferFailure {
    switch error.number {
    case ENOSPC, EDQUOT: TransferFailure(writing: error)
    case EACCES, EPERM:
      TransferFailure(
        .cannotCreateFile, "The session's owner may not write \(destination) in the shared container: \(error).",
        recovery: "Use an app group whose files are the app's own.")
    case EXDEV, ELOOP, EINVAL, ENOTDIR:
      TransferFailure(
        .cannotCreateFile, "\(destination) leads out of the shared container, or over a link.",
        recovery: "Name a place in the container.")
    default:
      TransferFailure(
        .cannotMoveFile, "The file cannot be moved to \(destination): \(error).",
        recovery: "Check that the container is there and may be written.")
    }
  }
}
