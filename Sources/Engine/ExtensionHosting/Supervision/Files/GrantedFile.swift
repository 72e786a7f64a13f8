import JSON
import CLinux
package import ExtensionProtocol
package import Files
import Glibc
package import JSONRPC
import Text

/// A file in a scratch directory: put there by the host for an extension to read, or made by an extension for the host.
package enum GrantedFile {
  /// - Parameter name: foreign characters are replaced.
  /// - Returns: the file's name below the scratch directory.
  static func write(
    _ bytes: [UInt8], name: String, in scratch: String, owner: ExtensionUser?
  ) throws(ExtensionError) -> String {
    let safe = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" }.prefix(64))
    do throws(FileError) {
      let path = try File.write(
        bytes, beginning: "\(scratch)/\(safe)", owner: owner.map { (user: $0.uid, group: $0.gid) })
      return String(path.dropFirst(scratch.count + 1))
    } catch {
      throw ExtensionError(error)
    }
  }

  /// The bytes of a file that an extension named: below the directory, over no link, regular, within the limit. What
  /// happens to the names meanwhile does not matter: the file that was opened is the one that is examined and read.
  ///
  /// - Parameters:
  ///   - user: with whose rights it is opened; `nil` for the host's own.
  ///   - hold: on which space is made for the bytes before they are read.
  package static func read(
    _ path: String, limit: Int, in scratch: String, as user: FileUser?, from extensionName: String,
    on hold: LedgerHold? = nil
  ) throws(ExtensionError) -> [UInt8] {
    let (descriptor, size) = try open(path, in: scratch, as: user, from: extensionName)
    defer { close(descriptor) }
    guard size <= limit else {
      throw ExtensionError(
        .limitExceeded, "“\(shown(path))” of \(extensionName) has \(size) bytes; at most \(limit) are taken.",
        details: ["path": .string(path), "limit": .integer(Int64(limit))])
    }
    try hold?.makeSpace(for: size)
    return try bytes(of: descriptor, count: size, path, extensionName)
  }

  /// Opens a file that an extension named: below the directory, over no link, regular, and the user's to read.
  ///
  /// - Parameter user: with whose rights it is opened; `nil` for the host's own.
  /// - Returns: a descriptor for reading, which the caller closes, and the size in bytes.
  package static func open(
    _ path: String, in scratch: String, as user: FileUser?, from extensionName: String
  ) throws(ExtensionError) -> (descriptor: Int32, size: Int) {
    guard !path.isEmpty, path.utf8.first != UInt8(ascii: "/"), !path.utf8.contains(0),
      !path.pathParts().contains("..")
    else {
      throw refusal("\(extensionName) named “\(shown(path))”, which is not a path below its scratch directory.", path)
    }
    let descriptor = clinux_open_beneath(scratch, path, user.rights)
    guard descriptor >= 0 else {
      let error = SystemError.last
      var refusal = refusal("“\(shown(path))” of \(extensionName) cannot be opened: \(error).", path)
      if error.number == ENOENT { refusal.details["missing"] = true }
      throw refusal
    }
    var info = stat()
    guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw refusal("“\(shown(path))” of \(extensionName) is not a regular file.", path)
    }
    return (descriptor, Int(info.st_size))
  }

  /// As many bytes as the file had when it was examined, or fewer when it was cut meanwhile.
  private static func bytes(
    of descriptor: Int32, count: Int, _ path: String, _ extensionName: String
  ) throws(ExtensionError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress?.advanced(by: filled), count - filled)
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else {
        throw refusal("“\(shown(path))” of \(extensionName) cannot be read: \(SystemError.last).", path)
      }
      if got == 0 { break }
      filled += got
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  private static func refusal(_ message: String, _ path: String) -> ExtensionError {
    ExtensionError(
      .invalidParams, message, recovery: "Name a regular file below the scratch directory, by its relative path.",
      details: ["path": .string(path)])
  }

  private static func shown(_ path: String) -> String {
    StandardErrorRing.printable(path.utf8.prefix(200))
  }
}
