import CLinux
import Files
import Glibc
import Sandbox

/// A temporary folder with what a trial needs: a bundle with the hostile program, its scratch directory, and folders of
/// others with a secret each. All of it belongs to the hostile program's own user, so that nothing but the sandbox
/// stands between. Removed at the end.
package final class TrialFolder: Sendable {
  /// The absolute path of the folder.
  package let path: String
  /// The hostile program, a copy in the bundle.
  package let program: String
  private let host: TrialHost
  private let folder: RunFolder

  /// The folder of the bundle with the hostile program.
  package var bundle: String { path + "/bundle" }
  /// The folder that the hostile program may write to.
  package var scratch: String { path + "/scratch" }
  var script: String { bundle + "/script" }
  func path(of program: AlteredProgram) -> String { "\(bundle)/\(program.rawValue)" }
  /// The host's state, another extension's container, a group that may be read, a group that another app has claimed.
  static let guarded = ["state", "other", "group", "claimed"]
  static let secret = "secret"

  /// - Parameter attempts: The absolute path of the program `sandbox-attempts`.
  package init(host: TrialHost, attempts: String) throws(TrialError) {
    self.host = host
    do throws(FileError) {
      folder = try RunFolder("trial", in: "/tmp")
    } catch {
      throw TrialError(error.message)
    }
    path = folder.path
    program = path + "/bundle/sandbox-attempts"
    guard chmod(path, 0o755) == 0 else { throw Self.failure("chmod", path) }
    for (name, mode) in [("bundle", mode_t(0o755)), ("scratch", 0o700)] + Self.guarded.map({ ($0, 0o755) }) {
      try makeFolder("\(path)/\(name)", mode: mode)
    }
    let bytes = try Self.bytes(of: attempts)
    try write(bytes, to: program, mode: 0o755)
    for program in AlteredProgram.allCases {
      var altered = bytes
      program.alter(&altered)
      try write(altered, to: path(of: program), mode: 0o755)
    }
    try write(Array("#!/bin/sh\necho found a script\n".utf8), to: script, mode: 0o755)
    for name in Self.guarded {
      try write(Array(Self.secret.utf8), to: "\(path)/\(name)/secret", mode: 0o600)
      try give("\(path)/\(name)/secret")
      try give("\(path)/\(name)")
    }
    try give(scratch)
    guard symlink("\(path)/state/secret", scratch + "/planted") == 0 else { throw Self.failure("symlink", scratch) }
  }

  deinit { folder.remove() }

  /// What is not as it was made; nil when all is.
  func difference() -> String? {
    for name in Self.guarded {
      let secret = "\(path)/\(name)/secret"
      var status = stat()
      guard stat(secret, &status) == 0, status.st_mode & 0o7777 == 0o600 else { return "the mode of \(secret)" }
      guard let bytes = try? Self.bytes(of: secret), bytes == Array(Self.secret.utf8) else {
        return "the text of \(secret)"
      }
      if access("\(path)/\(name)/new", F_OK) == 0 { return "\(path)/\(name)/new is there" }
    }
    let name = Folder.name(of: path)
    for place in ["/var/tmp/", "/usr/", "/", "/dev/shm/", "/run/"] where access(place + name, F_OK) == 0 {
      return "\(place + name) is there"
    }
    return access(path + "/outside", F_OK) == 0 ? "\(path)/outside is there" : nil
  }

  private func makeFolder(_ path: String, mode: mode_t) throws(TrialError) {
    guard mkdir(path, mode) == 0, chmod(path, mode) == 0 else { throw Self.failure("mkdir", path) }
  }

  private func give(_ path: String) throws(TrialError) {
    guard HostIdentity.current.isRoot else { return }
    guard chown(path, host.userID, host.groupID) == 0 else { throw Self.failure("chown", path) }
  }

  private func write(_ bytes: [UInt8], to path: String, mode: mode_t) throws(TrialError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw Self.failure("open", path) }
    defer { close(descriptor) }
    guard clinux_write_all(descriptor, bytes, bytes.count) == 0 else { throw Self.failure("write", path) }
    guard fchmod(descriptor, mode) == 0 else { throw Self.failure("chmod", path) }
  }

  private static func bytes(of path: String) throws(TrialError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("open", path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &piece, piece.count)
      guard count >= 0 else { throw failure("read", path) }
      if count == 0 { return bytes }
      bytes += piece[..<count]
    }
  }

  static func failure(_ call: String, _ path: String) -> TrialError {
    TrialError("\(call) \(path): \(SystemError.last)")
  }
}
