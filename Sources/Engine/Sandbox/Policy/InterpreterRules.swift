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
    if let fault = PlaceRules(host: host).fault(ofLinks: policy.name ?? path) {
      throw invalid("The interpreter \(fault.message)", fault.recovery)
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
