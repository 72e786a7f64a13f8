import Files

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
