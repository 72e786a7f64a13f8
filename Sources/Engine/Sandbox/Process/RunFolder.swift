package import Files
import Glibc

/// A temporary folder for one run of this process. When the process is killed, a later run removes the folder.
///
/// Its name is `annex-<what>-<pid>-<start time>-<letters>`, and it holds a file that is locked until ``remove()``. A
/// new run removes the folders of this user whose process does not run and whose lock is free: a process of another
/// container may have the same number.
package final class RunFolder: Sendable {
  /// The path of the folder, which only the user of this process can enter.
  package let path: String
  private let lock: FileLock

  private static let lockName = ".lock"

  /// Makes the folder, and removes those that earlier runs could not remove.
  ///
  /// - Parameters:
  ///   - name: one word for what it is.
  ///   - parent: the absolute path of the folder for temporary files.
  /// - Throws: `FileError`.
  package init(_ name: String, in parent: String) throws(FileError) {
    Self.sweep(parent)
    let made = try Folder.makeTemporary(beginning: "\(parent)/annex-\(name)-\(ProcessIdentity.current.text)-")
    guard let lock = try FileLock.attempt("\(made)/\(Self.lockName)") else {
      throw FileError(.locked, "\(made) is locked by another program.")
    }
    self.lock = lock
    path = made
  }

  /// Removes the folder and all below it. Once, at the end.
  package func remove() { try? Folder.remove(path) }

  private static func sweep(_ parent: String) {
    for name in Folder.names(in: parent) {
      guard let owner = owner(of: name), !owner.isAlive else { continue }
      let path = "\(parent)/\(name)"
      guard let status = FileStatus(path, followsLink: false), status.kind == .directory, status.owner == geteuid(),
        let lock = try? FileLock.attempt("\(path)/\(lockName)")
      else { continue }
      try? Folder.remove(path)
      lock.unlock()
    }
  }

  /// Returns the process that a folder's name contains; `nil` for names of another form.
  static func owner(of name: String) -> ProcessIdentity? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0] == "annex", parts[4].utf8.count == 6 else { return nil }
    return ProcessIdentity("\(parts[2])-\(parts[3])")
  }
}
