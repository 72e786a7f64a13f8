import Files

extension SandboxPolicy {
  /// Directories of the kernel and the system that no extension is given, nor anything above them.
  private static let systemPaths = ["/proc", "/sys", "/dev", "/run", "/boot", "/etc", "/home", "/root", "/tmp", "/var"]
  /// The kernel's directories of which no part may be granted.
  private static let kernelPaths = ["/proc", "/sys", "/dev"]

  /// Checks everything that can be known before a process exists. `LaunchPlan` validates every policy.
  ///
  /// - Parameter host: the user that runs the host.
  /// - Throws: `runningAsRootWithoutExtensionUser`, `policyInvalid`, `bundleInvalid` or `containerInvalid`, with the
  ///   path and the reason.
  package func validate(host: HostIdentity = .current) throws(SandboxError) {
    try validateUser(host: host)
    for path in [scratch] + containers.map(\.path) + runtime { try Self.validateName(path) }
    for path in [scratch] + containers.map(\.path) { try validateGrant(path) }
    try validateEnvironment()
    try validateProgram(host: host)
    try validateOverlap()
    try ContainerRules(policy: self).validate()
  }

  /// Checks what can be known of the program alone: its bundle, its file, its script, what it has to read.
  ///
  /// - Throws: `policyInvalid` or `bundleInvalid`, with the path and the reason.
  package func validateProgram(host: HostIdentity = .current) throws(SandboxError) {
    let own = [bundle, script].compactMap(\.self)
    for path in [executable] + own + readOnlyPaths { try Self.validateName(path) }
    for path in [bundle ?? executable] + readOnlyPaths { try validateGrant(path) }
    try BundleRules(policy: self, host: host).validate()
    if script != nil { try InterpreterRules(policy: self, host: host).validate() }
  }

  private func validateUser(host: HostIdentity) throws(SandboxError) {
    if host.isRoot {
      guard userID == 0 || groupID == 0 else { return }
      throw SandboxError(
        .runningAsRootWithoutExtensionUser,
        "The host runs as root, and the extension has no user and group of its own.",
        recovery: "Give the extension a user id and a group id other than 0, or run the host as an ordinary user.")
    }
    guard userID != host.userID || groupID != host.groupID else { return }
    throw Self.invalid(
      "Only root can start an extension as user \(userID) and group \(groupID).",
      "Use the host's own user \(host.userID) and group \(host.groupID), or run the host as root.")
  }

  private static func validateName(_ path: String) throws(SandboxError) {
    guard path.isPlainAbsolutePath, path.utf8.count < 4096 else {
      throw invalid(
        "\(path.debugDescription) is not a plain absolute path.",
        "Write the path from / on, without empty parts, `.` and `..`.")
    }
  }

  private func validateGrant(_ path: String) throws(SandboxError) {
    let real = ResolvedPath(path)?.path ?? path
    for name in [path, real] {
      let isAbove = (Self.systemPaths + protectedPaths).contains { $0.isBelowOrEqual(name) }
      guard !isAbove, !Self.kernelPaths.contains(where: name.isBelowOrEqual) else {
        throw Self.invalid(
          "An extension cannot be given \(name).", "Give it a directory of its own instead, or single files.")
      }
    }
  }

  private func validateEnvironment() throws(SandboxError) {
    for (name, value) in environment {
      let isName = !name.isEmpty && !name.utf8.contains(UInt8(ascii: "=")) && !name.utf8.contains(0)
      guard isName, !value.utf8.contains(0) else {
        throw Self.invalid(
          "\(name.debugDescription) is not a name for an environment variable, or its value holds a zero byte.",
          "Use names without `=` and values without zero bytes.")
      }
    }
  }

  /// What can be written must not be what can be executed.
  private func validateOverlap() throws(SandboxError) {
    // These alone may be reached through links.
    let read = readOnlyPaths + readOnlyPaths.compactMap { ResolvedPath($0)?.path }
    let executed = [bundle ?? executable] + read + runtime
    let written = [scratch] + containers.filter { $0.access == .readWrite }.map(\.path)
    for write in written {
      for execute in executed where write.isBelowOrEqual(execute) || execute.isBelowOrEqual(write) {
        throw SandboxError(
          .containerInvalid, "\(write) and \(execute) lie inside one another.",
          recovery: "Keep what an extension writes apart from what it executes.")
      }
    }
  }

  static func invalid(_ message: String, _ recovery: String) -> SandboxError {
    SandboxError(.policyInvalid, message, recovery: recovery)
  }
}

/// What a scratch directory and a container must be before an extension gets them.
struct ContainerRules {
  let policy: SandboxPolicy

  func validate() throws(SandboxError) {
    try validate(policy.scratch, mustOwn: true)
    for container in policy.containers { try validate(container.path, mustOwn: false) }
  }

  private func validate(_ path: String, mustOwn: Bool) throws(SandboxError) {
    guard let resolved = ResolvedPath(path), resolved.links.isEmpty else {
      throw invalid("\(path) does not exist, or a symbolic link leads to it.", "Create the directory itself.")
    }
    guard let status = FileStatus(path), status.kind == .directory else {
      throw invalid("\(path) is not a directory.", "Remove what is there and create the directory.")
    }
    guard !mustOwn || status.owner == policy.userID else {
      throw invalid(
        "\(path) belongs to user \(status.owner), not to the extension's user \(policy.userID).",
        "Give the directory to the extension's user.")
    }
  }

  private func invalid(_ message: String, _ recovery: String) -> SandboxError {
    SandboxError(.containerInvalid, message, recovery: recovery)
  }
}
