import Authoring
import CommandLineTool
import CommandRuntime
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import Files
import Glibc
import HostServices
import JSON
import Synchronization
import Text

/// The rounds of `host dev`: build, bundle, register, run, and wait for somebody to save a file.
final class DevSession: Sendable {
  private struct State {
    /// The bundle that was registered, and what was approved of it.
    var registered: String?
    var approved: [String] = []
    var lastGood: String?
    /// Where the files of the bundle come from.
    var origins: [(copy: String, original: String)] = []
    /// With those that the bundle announces.
    var points = Features.points
  }

  /// Several files that are saved together are one change.
  private static let pause = Duration.milliseconds(150)

  private let invocation: Invocation
  private let project: String
  private let place: String
  private let maker: BundleMaker
  private let state = Mutex(State())

  /// - Parameter place: a folder for bundles, of this run alone.
  init(_ invocation: Invocation, in place: String) throws {
    let folder = invocation.parsed.argument("DIR") ?? ""
    maker = try BundleMaker(folder, settings: BundleCommand.settings(invocation.parsed.values("set")))
    project = File.resolved(folder) ?? folder
    self.invocation = invocation
    self.place = place
    // Where the host is root, extensions run as other users, and have to get to their bundles.
    chmod(place, 0o711)
  }

  private var build: ProjectBuild { ProjectBuild(folder: project, environment: invocation.environment) }

  private func stamps() -> SourceStamps {
    SourceStamps(project, leavingOut: build.isSwift || build.isMade ? ".app" : nil)
  }

  func run() async throws -> ExitStatus {
    if invocation.parsed.flag("once") { return try await round(stamps()) ? .success : .failure }
    while true {
      let sources = stamps()
      let loop = invocation.loop
      try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask(executorPreference: loop) {
          // What fails is said; the next change is waited for all the same.
          do {
            _ = try await self.round(sources)
          } catch {
            if !Task.isCancelled { _ = Failure(error).print(to: self.invocation) }
          }
          if !Task.isCancelled { self.say("waiting", ["project": .string(self.project)]) }
          return false
        }
        group.addTask(executorPreference: loop) {
          try await self.change(since: sources)
          return true
        }
        while let hasChanged = try await group.next() {
          if hasChanged { group.cancelAll() }
        }
      }
      say("changed", [:])
    }
  }

  // MARK: One round

  /// - Returns: whether everything was built and every extension did what it should.
  private func round(_ sources: SourceStamps) async throws -> Bool {
    say("building", ["project": .string(project)])
    let start = invocation.loop.now
    guard try await build.run(sources, on: invocation.loop) else {
      try Task.checkCancellation()
      failed()
      return false
    }
    let name = try maker.name()
    let bundle = "\(place)/\(name)"
    do {
      let maker = maker
      try await SystemThread.run(name: "annex-bundle", within: .seconds(60), on: invocation.loop) { _ in
        try maker.make(bundle)
      }
    } catch let error as ExtensionError {
      _ = Failure(error).print(to: invocation)
      failed()
      return false
    }
    let seconds = Double(invocation.loop.now - start) / 1e9
    let origins = (try? maker.origins()) ?? []
    state.withLock { state in
      state.lastGood = name
      state.origins = origins.map { ("\(bundle)/\($0.copy)", $0.original) }
    }
    say("built", ["bundle": .string(name), "seconds": .double((seconds * 10).rounded() / 10)])
    return try await runExtensions(of: try await register(bundle))
  }

  private func failed() {
    let last = state.withLock { $0.lastGood }
    say("failed", ["lastGood": last.map { .string($0) } ?? .null])
  }

  /// - Returns: the extensions of the bundle.
  func register(_ bundle: String) async throws -> [RegistryEntry] {
    // The app of the project may have another name than in the round before.
    if let before = state.withLock({ $0.registered }), !before.hasBytes(of: File.resolved(bundle) ?? bundle) {
      try await RegistryFile.update(invocation) { record throws(ExtensionError) in
        _ = record.remove(bundle: before)
      }
      state.withLock { $0.registered = nil }
    }
    let found = try await invocation.verification(of: bundle)
    for problem in found.problems where problem.severity == .error { invocation.console.warn("\(problem)") }
    if state.withLock({ $0.registered }) == nil {
      try await RegistryFile.update(invocation) { record throws(ExtensionError) in
        // What another run left that was killed.
        for old in record.bundles.map(\.path) where old.contains("/annex-dev-") && !Folder.isFolder(old) {
          _ = record.remove(bundle: old)
        }
        try record.add(bundle: found.path, identifier: found.entries.first?.identifier)
      }
      state.withLock { $0.registered = found.path }
    }
    try await approve(found.entries)
    let registry = try invocation.registry()
    state.withLock { $0.points = registry.points }
    return registry.entries.filter { !$0.isApp && $0.manifestPath.isBelow(found.path) }
  }

  /// Approves what extensions ask for in this round; what was approved before this run stays as it is.
  private func approve(_ entries: [RegistryEntry]) async throws {
    let (own, known) = (state.withLock { $0.approved }, try invocation.record().approvals)
    let asking = entries.filter { entry in
      known[entry.identifier].map { own.contains(entry.identifier) && $0 != entry.capabilities } ?? true
    }
    guard !asking.isEmpty else { return }
    try await RegistryFile.update(invocation) { record throws(ExtensionError) in
      for entry in asking { record.approve(entry.capabilities, for: entry.identifier) }
    }
    state.withLock { $0.approved += asking.map(\.identifier).filter { !own.contains($0) } }
  }

  /// Takes back what was registered.
  func unregister() async throws {
    let (bundle, approved) = state.withLock { ($0.registered, $0.approved) }
    guard bundle != nil || !approved.isEmpty else { return }
    try await RegistryFile.update(invocation) { record throws(ExtensionError) in
      if let bundle { _ = record.remove(bundle: bundle) }
      for identifier in approved { record.forgetApproval(of: identifier) }
    }
  }

  private func runExtensions(of entries: [RegistryEntry]) async throws -> Bool {
    let words = invocation.parsed.arguments("WORD")
    if !words.isEmpty { return try await runTool(words, for: nil) }
    var isGood = true
    for entry in entries {
      try Task.checkCancellation()
      guard entry.isEnabled, let point = entry.point else {
        for reason in entry.reasons { invocation.console.warn("\(entry.identifier): \(reason)") }
        isGood = false
        continue
      }
      let name = state.withLock { $0.points.shortName(of: point) }
      if !(try await runTool(PointTrial.words(for: name, entry.identifier), for: entry)) { isGood = false }
    }
    return isGood
  }

  private func runTool(_ words: [String], for entry: RegistryEntry?) async throws -> Bool {
    var arguments = words + ["--verbose"]
    if let home = invocation.parsed.value("home") { arguments += ["--home", home] }
    if let consent = invocation.parsed.value("consent") { arguments += ["--consent", consent] }
    for folder in invocation.parsed.values("manifests") { arguments += ["--manifests", folder] }
    var environment = invocation.environment
    environment[AuthorPaths.variable] = AuthorPaths.text(state.withLock { $0.origins })
    var child = ChildCommand(path: "/proc/self/exe", arguments: arguments, environment: environment)
    if invocation.wantsJSON { child.output = STDERR_FILENO }
    let status = try await child.run(on: invocation.loop)
    try Task.checkCancellation()
    say(
      "ran",
      [
        "id": entry.map { .string($0.identifier) } ?? .null, "status": .integer(Int64(status)),
        "command": .string(words.map(shellWord).joined(separator: " ")),
      ])
    return status == 0
  }

  // MARK: Changes

  /// Waits until a file is another than before, and until no more follow.
  private func change(since before: SourceStamps) async throws {
    let changed = Signal()
    guard let watch = PathWatch(on: invocation.loop, changed: { changed.send() }) else {
      throw ExtensionError(
        .limitExceeded, "The kernel offers no more file watches.",
        recovery: "Raise fs.inotify.max_user_instances, or end other programs that watch files.")
    }
    defer { watch.stop() }
    var known = before
    watch.follow(known.folders, for: .entries)
    while true {
      let count = changed.count
      let now = stamps()
      if now != before {
        // Whole when two looks see the same.
        if now == known { return }
        known = now
        watch.follow(now.folders, for: .entries)
        try await invocation.loop.sleep(for: Self.pause)
        continue
      }
      known = now
      watch.follow(now.folders, for: .entries)
      try await changed.wait(past: count)
    }
  }

  // MARK: Output

  private func say(_ event: String, _ facts: JSONObject) {
    if invocation.wantsJSON {
      var object: JSONObject = ["event": .string(event)]
      for (key, value) in facts { object[key] = value }
      return invocation.printJSONLine(.object(object))
    }
    let console = invocation.console
    switch event {
    case "building": console.note("Building \(project) …")
    case "built":
      console.note("Built \(facts["bundle"]?.stringValue ?? "") in \(facts["seconds"]?.doubleValue ?? 0) s.")
    case "failed":
      let last = facts["lastGood"]?.stringValue
      console.note("The build failed.\(last.map { " The last good \($0) stays registered." } ?? "")")
    case "waiting": console.note("Waiting for you to save a file. Press Ctrl-C to end.")
    case "changed": console.note("")
    default:
      let status = facts["status"] ?? 0
      if status != 0 { console.note("“host \(facts["command"]?.stringValue ?? "")” ended with \(status.description).") }
    }
  }
}
