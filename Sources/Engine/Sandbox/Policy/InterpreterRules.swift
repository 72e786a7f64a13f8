import Files

/// What an interpreter must be before it runs a script: a program that only root and the host's user can exchange, that
/// the extension's user may execute, and that no extension has written.
struct InterpreterRules {
  let policy: SandboxPolicy
  let host: HostIdentity

  private static let place = "Name one that is installed for all users, such as /usr/bin/python3, or one in the bundle."

  func validate() throws(SandboxError) {
    let path = policy.executable
    if let bundle = policy.bundle, path.isBelowOrEqual(bundle) { return }
    if let state = policy.protectedPaths.first(where: path.isBelowOrEqual) {
      throw invalid("The interpreter \(path) lies in \(state), where extensions write.", Self.place)
    }
    // Root's files are nobody's where root has no number, as after unshare -r.
    let root = FileStatus("/")?.owner
    var part = path[...]
    while !part.isEmpty {
      guard let status = FileStatus(String(part)) else {
        throw invalid("The interpreter \(path) cannot be reached.", Self.place)
      }
      // In a directory with the sticky bit, such as /tmp, a user cannot replace the files of another.
      let isShared = status.mode & 0o002 != 0 && status.mode & 0o1000 == 0
      guard !isShared, [0, host.userID, root].contains(status.owner) else {
        throw invalid("The interpreter \(path) can be exchanged by other users, through \(part).", Self.place)
      }
      part = part[..<(part.lastIndex(of: "/") ?? part.startIndex)]
    }
    if host.isRoot, let status = FileStatus(path), status.mode & 0o001 == 0 {
      throw invalid("The interpreter \(path) cannot be executed by the extension's user.", "Set its mode to 755.")
    }
  }

  /// Why a file that is no program cannot be an interpreter.
  ///
  /// - Parameter start: its first bytes.
  static func notAProgram(_ path: String, _ start: [UInt8]) -> SandboxError {
    let isScript = ScriptInterpreter.firstLine(start) != nil
    return SandboxError(
      .bundleInvalid,
      isScript
        ? "The interpreter \(path) is itself a script, and a sandbox starts one program only."
        : "The interpreter \(path) is not a program for this machine.",
      recovery: isScript ? "Name the program that it starts in the end, such as /usr/bin/python3." : place)
  }

  private func invalid(_ message: String, _ recovery: String) -> SandboxError {
    SandboxError(.bundleInvalid, message, recovery: recovery)
  }
}
