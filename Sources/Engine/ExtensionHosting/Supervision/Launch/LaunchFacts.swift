import ExtensionProtocol
import Files
import JSON
import Sandbox
import Synchronization

/// The facts that all launches need and that do not change between them: the capabilities of the machine, and the
/// libraries of each program.
final class LaunchFacts: Sendable {
  private struct Known {
    var capabilities: SandboxCapabilities?
    var hasReserve = false
    /// Absent before the first launch; then what was found, which may be nothing.
    var controlGroups: ControlGroups??
    /// The launcher that was found and checked, with the state of its file at that time.
    var launcher: (found: Launcher, stamp: FileStamp?)?
    /// By path, with the file's state at that time.
    var readOnlyPaths: [String: (stamp: FileStamp, paths: [String])] = [:]
  }

  private let state: StateDirectory
  private let launcherPath: String?
  private let controlGroupUse: ExtensionHost.ControlGroupUse
  private let known = Mutex(Known())

  init(_ configuration: ExtensionHost.Configuration) {
    state = configuration.state
    launcherPath = configuration.launcherPath
    controlGroupUse = configuration.controlGroups
  }

  /// The launcher, found once; where it is a file, it is checked whenever the file is another.
  ///
  /// - Throws: `sandboxUnavailable`, as ``ExtensionHost/findLauncher(at:state:)``.
  func launcher() throws(ExtensionError) -> Launcher {
    if let known = known.withLock({ $0.launcher }), known.found.file.flatMap({ FileStamp($0) }) == known.stamp {
      return known.found
    }
    let found = try ExtensionHost.findLauncher(at: launcherPath, state: state)
    known.withLock { $0.launcher = (found, found.file.flatMap { FileStamp($0) }) }
    return found
  }

  /// Returns the capabilities of the machine, tested once after each start of the machine and stored in a file.
  ///
  /// - Throws: `sandboxUnavailable` when the machine cannot enforce the minimum.
  func capabilities() throws -> SandboxCapabilities {
    if let capabilities = known.withLock({ $0.capabilities }) { return capabilities }
    let capabilities = try storedCapabilities()
    known.withLock { $0.capabilities = capabilities }
    return capabilities
  }

  /// Sees that the state folder has its reserve; looks once.
  func keepReserve() {
    let isKept = known.withLock { known in
      defer { known.hasReserve = true }
      return known.hasReserve
    }
    if !isKept { StateReserve.keep(in: state.path) }
  }

  /// Where control groups are made; tried once, and again at the next launch when that fails.
  ///
  /// - Throws: `controlGroupUnusable` when the directory that the configuration names cannot be used.
  func controlGroups() throws(SandboxError) -> ControlGroups? {
    if let known = known.withLock({ $0.controlGroups }) { return known }
    let found = try controlGroupUse.find()
    known.withLock { $0.controlGroups = .some(found) }
    return found
  }

  /// Returns the files that a program or a script's interpreter reads besides itself.
  ///
  /// - Throws: `bundleInvalid` when the program names more libraries than can be looked for, or when it was
  ///   abandoned.
  /// - Parameter isAbandoned: returns whether the caller no longer needs the answer.
  func readOnlyPaths(
    of program: String, isInterpreter: Bool, isAbandoned: () -> Bool
  ) throws(SandboxError) -> [String] {
    let stamp = FileStamp(program)
    if let stamp, let found = known.withLock({ $0.readOnlyPaths[program] }), found.stamp == stamp { return found.paths }
    let paths =
      try isInterpreter
      ? ScriptInterpreter.readOnlyPaths(of: program, isAbandoned: isAbandoned)
      : ProgramLibraries.readOnlyPaths(of: program, isAbandoned: isAbandoned)
    if let stamp { known.withLock { $0.readOnlyPaths[program] = (stamp, paths) } }
    return paths
  }

  private func storedCapabilities() throws -> SandboxCapabilities {
    let path = "\(try state.folder("sandbox"))/capabilities.json"
    if let bytes = try? File.read(path, limit: 1 << 20, followsLink: false),
      let stored = try? JSONCoding.decode(SandboxCapabilities.self, from: bytes),
      stored.isCurrent()
    {
      return stored
    }
    let found = try SandboxProbe(launcher: launcher()).run()
    try? File.replace(path, with: JSONCoding.encode(found))
    return found
  }
}
