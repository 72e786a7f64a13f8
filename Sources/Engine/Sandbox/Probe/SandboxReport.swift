/// What is enforced on this machine, layer by layer, for people: the host says what it cannot promise.
package struct SandboxReport: Sendable, Hashable, Codable {
  /// One layer of the sandbox.
  package struct Row: Sendable, Hashable, Codable {
    /// What the layer guards, in a few words.
    package let layer: String
    /// Whether the layer is enforced.
    package let enforced: Bool
    /// How it is enforced, or why it is not and what guards instead.
    package let detail: String
    /// What an administrator can do; nil when there is nothing to do.
    package let recovery: String?

    /// Creates a row; `recovery` says how to enable a layer that is not enforced.
    package init(layer: String, enforced: Bool, detail: String, recovery: String? = nil) {
      self.layer = layer
      self.enforced = enforced
      self.detail = detail
      self.recovery = recovery
    }
  }

  /// The tier that the machine can enforce.
  package let tier: SandboxTier
  /// The layers, in the order of the report.
  package let rows: [Row]

  /// - Parameters:
  ///   - capabilities: What a probe found.
  ///   - control: How memory, processor time and disk are watched.
  ///   - more: Rows of what is no layer of a process.
  package init(
    _ capabilities: SandboxCapabilities, host: HostIdentity = .current, control: ResourceControl = .current,
    more: [Row] = []
  ) {
    let facts = Facts(capabilities: capabilities, facilities: capabilities.facilities(for: host), host: host)
    tier = capabilities.tier
    let resources = Row(
      layer: "memory, processor time, disk", enforced: control != .none, detail: control.detail,
      recovery: control.recovery)
    rows = facts.calls + facts.files + facts.processes + facts.surroundings + [resources] + more
  }

  /// Whether every row is enforced.
  package var isComplete: Bool { rows.allSatisfy(\.enforced) }
}

extension SandboxReport.Row {
  /// How the kernel bounds memory.
  ///
  /// - Parameter groups: What was found, nil for none, and why what was asked for cannot be used.
  package static func controlGroup(_ groups: Result<ControlGroups?, SandboxError>) -> SandboxReport.Row {
    let layer = "memory, control group"
    switch groups {
    case .success(let groups?):
      let what = groups.boundsThreads ? "memory and threads" : "memory"
      return SandboxReport.Row(
        layer: layer, enforced: true,
        detail: "the kernel bounds \(what), below \(groups.path) (version \(groups.version.rawValue))")
    case .success(nil):
      return SandboxReport.Row(
        layer: layer, enforced: false, detail: "no group was given to this host; it looks at the memory itself",
        recovery: "Run the host in a unit of systemd with Delegate=memory pids and DelegateSubgroup=host, such as "
          + "Scripts/systemd/annex-host.service, or name a directory of its own in ANNEX_CONTROL_GROUP.")
    case .failure(let error):
      return SandboxReport.Row(
        layer: layer, enforced: false, detail: "\(error.message) No extension is started.", recovery: error.recovery)
    }
  }
}

extension SandboxReport {
  /// The rows, from what was found.
  private struct Facts {
    let capabilities: SandboxCapabilities
    let facilities: SandboxFacilities
    let host: HostIdentity

    private static let notInOwnRoot: [LaunchStage] = [.networkNamespace, .pidNamespace, .proc]

    private func failure(_ stages: LaunchStage...) -> LaunchFailure? {
      capabilities.failures.first { stages.contains($0.stage) }
    }

    /// Why there is no own root: a stage of making one, not one that is left out by itself.
    private var rootFailure: LaunchFailure? {
      capabilities.failures.first { $0.stage < .credentials && !Self.notInOwnRoot.contains($0.stage) }
    }

    private func layer(
      _ name: String, _ facility: SandboxFacilities, _ how: String, instead: String, _ failure: LaunchFailure?
    ) -> Row {
      if facilities.contains(facility) { return Row(layer: name, enforced: true, detail: how) }
      return Row(
        layer: name, enforced: false, detail: failure.map { "\(instead): \($0)" } ?? instead,
        recovery: failure?.recovery(for: host))
    }

    var calls: [Row] {
      [
        Row(
          layer: "system calls", enforced: true,
          detail: "only \(SystemCallList.allowed.count) calls of a fixed list, for this architecture"),
        layer(
          "no other program", .execOnce, "one program runs, the kernel refuses every further one",
          instead: "the extension could start its own program again, nothing else", failure(.execOnce)),
      ]
    }

    var files: [Row] {
      [
        layer(
          "files, Landlock", .landlock,
          "rights of version \(capabilities.landlockVersion)\(Self.gaps(of: capabilities.landlockVersion))",
          instead: "files are guarded by the own root alone", failure(.landlock)),
        layer(
          "files, own root", .mountNamespace, "nothing else has a name",
          instead: "sizes and times of files can be seen, their contents cannot", rootFailure),
        userNamespace,
      ]
    }

    /// What later versions of Landlock guard and this one leaves to others.
    private static func gaps(of version: UInt32) -> String {
      let additions: [(since: UInt32, gap: String)] = [
        (2, "renaming between folders fails"), (3, "truncating by name is refused to all"),
        (4, "TCP is left to the list of calls"), (5, "device controls are left to the list of calls"),
        (6, "signals and abstract sockets are left to the list of calls"),
      ]
      let gaps = additions.filter { version < $0.since }.map(\.gap)
      return gaps.isEmpty ? "" : "; \(gaps.joined(separator: ", "))"
    }

    private var userNamespace: Row {
      if host.isRoot, !facilities.contains(.userNamespace), facilities.contains(.mountNamespace) {
        return Row(layer: "user namespace", enforced: true, detail: "not needed: root makes the others itself")
      }
      return layer(
        "user namespace", .userNamespace, "the extension's own, with one user and no capability outside",
        instead: "no namespaces without it", rootFailure)
    }

    var processes: [Row] {
      let hidden = "the process list and command lines can be seen, nothing can be done to them"
      let reason = failure(.pidNamespace, .proc) ?? rootFailure
      return [
        layer("processes", .pidNamespace, "sees no process but its own", instead: hidden, reason),
        layer(
          "own /proc", .privateProc, "of its own processes only, read-only",
          instead: facilities.contains(.hostProc) ? "the host's /proc, read-only" : "the host's /proc, by Landlock",
          reason),
      ]
    }

    var surroundings: [Row] {
      [
        layer(
          "network", .networkNamespace, "no socket can be made, and no network is there",
          instead: "no socket can be made", failure(.networkNamespace) ?? rootFailure),
        layer(
          "IPC, host name, control groups", .ipcNamespace, "namespaces of their own",
          instead: "left to the list of calls", failure(.ipcNamespace, .utsNamespace, .cgroupNamespace) ?? rootFailure),
        user,
        Row(layer: "limits of a process", enforced: true, detail: "descriptors, file size, memory, stacks"),
        Row(layer: "inherited descriptors", enforced: true, detail: "all but the three pipes are closed (close_range)"),
        Row(layer: "process handles", enforced: true, detail: "ended and awaited by pidfd, never by number"),
      ]
    }

    private var user: Row {
      if host.isRoot {
        return Row(layer: "own user", enforced: true, detail: "every app's extensions have a user id of their own")
      }
      return Row(
        layer: "own user", enforced: false,
        detail: "extensions run as the host's user \(host.userID), kept apart by the other layers",
        recovery: host.userID == 0
          ? "This root has no other users to give: run the host as root with every user id mapped (without unshare -r) "
            + "and with CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_KILL, CAP_SETGID and CAP_SETUID."
          : "Run the host as root: it gives every app's extensions a user id of their own.")
    }
  }
}
