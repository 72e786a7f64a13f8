public import ExtensionProtocol
package import Files
import Glibc
public import JSONRPC

/// Files change hands in the scratch directory: the host puts them there to be read, and takes what the extension made.
/// Paths are relative to it.
extension ExtensionProcess {
  /// Writes a file into the scratch directory for the extension to read.
  ///
  /// - Parameter name: what the file's name begins with.
  /// - Returns: its path, relative to the scratch directory.
  /// - Throws: `storeFailed` when it cannot be written, `capabilityMissing` when the host did not start the process.
  public func grant(_ bytes: [UInt8], name: String) throws(ExtensionError) -> String {
    try GrantedFile.write(bytes, name: name, in: scratchDirectory(), owner: owner)
  }

  /// Makes an empty directory in the scratch directory, for the extension to write into.
  ///
  /// - Parameter name: letters, digits and dashes.
  /// - Returns: its path, relative to the scratch directory.
  public func grantDirectory(_ name: String) throws(ExtensionError) -> String {
    let path = "\(try scratchDirectory())/\(name)"
    guard mkdir(path, 0o700) == 0, owner.map({ chown(path, $0.uid, $0.gid) == 0 }) ?? true else {
      throw ExtensionError(.cannot("write", path))
    }
    return name
  }

  /// Reads a file that the extension made in its scratch directory.
  ///
  /// - Parameters:
  ///   - path: as the extension names it, relative to the scratch directory.
  ///   - limit: the largest file, in bytes.
  ///   - hold: the hold to which the bytes are added, for a caller that keeps them.
  /// - Throws: `invalidParams` for a path that leaves the directory, that leads over a link, or that names no regular file;
  ///   `limitExceeded` for a larger file, and where the host keeps too much for the extension already.
  public func take(_ path: String, limit: Int, on hold: LedgerHold? = nil) throws(ExtensionError) -> [UInt8] {
    try GrantedFile.read(path, limit: limit, in: scratchDirectory(), as: fileUser, from: identity.displayName, on: hold)
  }

  /// The user with whose rights the host opens what the extension names; `nil` when it is the host's own.
  package var fileUser: FileUser? { owner.map { FileUser(user: $0.uid, group: $0.gid) } }

  /// The absolute path of the scratch directory.
  ///
  /// - Throws: `capabilityMissing` when the host did not start it.
  package func scratchDirectory() throws(ExtensionError) -> String {
    if let scratch { return scratch }
    throw ExtensionError(.capabilityMissing, "\(identity.displayName) has no scratch directory for files.")
  }
}

extension Caller {
  /// Writes a file into the caller's scratch directory for it to read.
  ///
  /// - Returns: its path, relative to the scratch directory.
  /// - Throws: `storeFailed` when it cannot be written, `capabilityMissing` when the caller has no scratch directory.
  public func grant(_ bytes: [UInt8], name: String) throws(ExtensionError) -> String {
    try process.grant(bytes, name: name)
  }

  /// Reads a file that the caller made, as ``ExtensionProcess/take(_:limit:on:)`` does.
  public func take(_ path: String, limit: Int, on hold: LedgerHold? = nil) throws(ExtensionError) -> [UInt8] {
    try process.take(path, limit: limit, on: hold)
  }
}
