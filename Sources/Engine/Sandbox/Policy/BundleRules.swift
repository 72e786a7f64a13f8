import Files
import Glibc
import Text

/// What an executable and its bundle must be before they are started.
struct BundleRules {
  let policy: SandboxPolicy
  let host: HostIdentity

  func validate() throws(SandboxError) {
    let program = policy.script ?? policy.executable
    if let bundle = policy.bundle {
      guard program.isBelowOrEqual(bundle), program != bundle else {
        throw invalid("\(program) is not inside its bundle \(bundle).", "Name an executable of the bundle.")
      }
    }
    for path in policy.script == nil ? [program] : [program, policy.executable] {
      try validatePlace(path)
      try validateMode(path, mustBeExecutable: path.hasBytes(of: policy.executable))
      guard let bundle = policy.bundle, path.isBelowOrEqual(bundle) else { continue }
      try validateDirectories(from: path, upTo: bundle)
    }
    let places = PlaceRules(host: host)
    for path in [program, policy.manifest].compactMap(\.self) {
      if let fault = places.fault(ofLinks: path) { throw invalid(fault.message, fault.recovery) }
    }
    try validateFormat()
  }

  private func validatePlace(_ path: String) throws(SandboxError) {
    guard let resolved = ResolvedPath(path) else {
      throw invalid("\(path) does not exist.", "Build or install the extension again.")
    }
    guard resolved.links.isEmpty else {
      throw invalid(
        "\(path) is reached through a symbolic link (\(resolved.links[0].path)).",
        "Name the file itself: \(resolved.path).")
    }
  }

  private func validateMode(_ path: String, mustBeExecutable: Bool) throws(SandboxError) {
    guard let status = FileStatus(path), status.kind == .regular else {
      throw invalid("\(path) is not a regular file.", "Build or install the extension again.")
    }
    guard status.isExecutable || !mustBeExecutable else {
      throw invalid("\(path) is not executable.", "Set its mode to 755.")
    }
    guard !status.isSetID else {
      throw invalid("\(path) takes another user's rights (setuid or setgid).", "Set its mode to 755.")
    }
    guard !status.isWritableByOthers else {
      throw invalid("\(path) can be changed by other users.", "Remove the write permission of group and others.")
    }
    guard !File.hasCapabilities(path) else {
      throw invalid("\(path) carries file capabilities.", "Remove them with `setcap -r`.")
    }
  }

  /// Refuses directories that others can write to, as they could replace the executable below.
  private func validateDirectories(from path: String, upTo bundle: String) throws(SandboxError) {
    var directory = path
    while directory.isBelow(bundle) {
      directory = Folder.parent(of: directory)
      guard let status = FileStatus(directory), !status.isWritableByOthers else {
        throw invalid("\(directory) can be changed by other users.", "Remove the write permission of group and others.")
      }
    }
  }

  private func validateFormat() throws(SandboxError) {
    let found = File.prefix(of: policy.executable, limit: 4096)
    // It is not the file's fault when this process has too much open.
    if found == nil, [EMFILE, ENFILE].contains(errno) { throw .system("open", errno) }
    let start = found ?? []
    if policy.script == nil, let line = ScriptInterpreter.firstLine(start) {
      try validateInterpreter(line: line)
      return
    }
    guard let image = ELFImage.header(start) else {
      if policy.script != nil { throw InterpreterRules.notAProgram(policy.executable, start) }
      throw invalid(
        "\(policy.executable) is neither a program nor a script that names its interpreter.",
        "Build the extension for Linux, or start the script with `#!` and the path of its interpreter.")
    }
    guard image.isForThisMachine else {
      throw invalid("\(policy.executable) is built for another kind of machine.", "Build it for this machine.")
    }
    try validateMemory(policy.executable)
  }

  /// The kernel maps what the headers of a program, and of its loader, ask for, before the list of system calls says
  /// anything about it.
  private func validateMemory(_ path: String) throws(SandboxError) {
    guard !policy.generatedCode, let headers = ProgramHeaders(path: path) else { return }
    if let fault = headers.memoryFault {
      throw invalid("\(path) cannot be confined. \(fault)", ExecutableMemory.recovery)
    }
    guard let loader = headers.interpreter, let fault = ExecutableMemory.fault(of: loader) else { return }
    throw invalid("\(loader), the loader of \(path), cannot be confined. \(fault)", ExecutableMemory.recovery)
  }

  private func validateInterpreter(line: ArraySlice<UInt8>) throws(SandboxError) {
    let name = ScriptInterpreter.path(inLine: line) ?? ""
    guard let resolved = ResolvedPath(name), !name.utf8.elementsEqual("/usr/bin/env".utf8) else {
      throw invalid(
        "\(policy.executable) is a script whose interpreter \(name.debugDescription) cannot be started in a sandbox.",
        "Name the interpreter itself by its absolute path; env would have to start a second program.")
    }
    let granted = policy.readOnlyPaths.contains { path in
      guard let real = ResolvedPath(path)?.path else { return false }
      return resolved.path.isBelowOrEqual(real)
    }
    guard granted else {
      throw invalid(
        "\(policy.executable) is a script for \(name), which the extension is not given.",
        "Name it in the manifest: Annex.Interpreter, \(name).")
    }
    try validateMemory(resolved.path)
  }

  private func invalid(_ message: String, _ recovery: String) -> SandboxError {
    SandboxError(.bundleInvalid, message, recovery: recovery)
  }
}
