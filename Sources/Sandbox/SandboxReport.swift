/// What is enforced on this machine, layer by layer, for people: the host says what it cannot promise.
package struct SandboxReport: Sendable, Hashable, Codable {
  package struct Row: Sendable, Hashable, Codable {
    /// What the layer guards, in a few words.
    package let layer: String
    package let enforced: Bool
    /// How it is enforced, or why it is not and what guards instead.
    package let detail: String
    /// What an administrator can do; nil when there is nothing to do.
    package let recovery: String?
  }

  package let tier: SandboxTier
  package let rows: [Row]

  package init(
    _ capabilities: SandboxCapabilities, host: HostIdentity = .current, control: ResourceControl = .current
  ) {
    let facilities = capabilities.facilities(for: host)
    let failures = capabilities.failures
    tier = capabilities.tier
    rows = [
      Self.row("system calls", true, "only calls of a fixed list", nil),
      Self.layer(
        "no other program", facilities.contains(.execOnce), "one program runs, the kernel refuses every further one",
        "the extension could start its own program again, nothing else", failures.first { $0.stage == .execOnce }),
      Self.layer(
        "files, Landlock", facilities.contains(.landlock), "rights of version \(capabilities.landlockVersion)",
        "files are guarded by the own root alone", failures.first { $0.stage == .landlock }),
      Self.layer(
        "files, own root", facilities.contains(.mountNamespace), "nothing else has a name",
        "sizes and times of files can be seen, their contents cannot",
        failures.first { $0.stage < .credentials && $0.stage != .networkNamespace }),
      Self.layer(
        "processes", facilities.contains(.privateProc), "sees no process but its own",
        "the process list and command lines can be seen, nothing can be done to them",
        failures.first { $0.stage < .credentials && $0.stage != .networkNamespace }),
      Self.layer(
        "network", facilities.contains(.networkNamespace), "no socket can be made, and no network is there",
        "no socket can be made", failures.first { $0.stage < .credentials }),
      Self.user(host),
      Self.row("limits of a process", true, "descriptors, file size, memory, stacks", nil),
      Self.row("memory, processor time, disk", control != .none, control.detail, control.recovery),
    ]
  }

  /// Whether every row is enforced.
  package var isComplete: Bool { rows.allSatisfy(\.enforced) }

  private static func row(_ layer: String, _ enforced: Bool, _ detail: String, _ recovery: String?) -> Row {
    Row(layer: layer, enforced: enforced, detail: detail, recovery: recovery)
  }

  private static func layer(
    _ name: String, _ enforced: Bool, _ how: String, _ instead: String, _ failure: LaunchFailure?
  ) -> Row {
    if enforced { return row(name, true, how, nil) }
    return row(name, false, failure.map { "\(instead): \($0)" } ?? instead, failure?.stage.recovery)
  }

  private static func user(_ host: HostIdentity) -> Row {
    if host.isRoot { return row("own user", true, "every extension has a user id of its own", nil) }
    return row(
      "own user", false, "extensions run as the host's user \(host.userID), kept apart by the other layers",
      "Run the host as root, with a user id for every extension.")
  }
}
