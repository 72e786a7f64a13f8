import CLinux
import CommandLineTool
import CommandRuntime
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import Files
import Glibc

/// The daemon that makes the transfers of a state directory: this tool once more, detached from the terminal.
struct DaemonProcess: Sendable {
  /// The state directory.
  private let home: String
  private let loop: EventLoop
  /// The configuration file that was named, as an absolute path.
  private let config: String?
  private let environment: [String: String]

  /// - Throws: what the group store's place is refused with.
  init(_ invocation: Invocation) throws(ExtensionError) {
    home = try invocation.state().path
    loop = invocation.loop
    config = invocation.parsed.value("config").map { Folder.path($0) }
    var environment = invocation.environment
    // Leases lie in the store. Its URL may have a password, which no command line may.
    if let url = try invocation.storeURL() { environment["ANNEX_STORE"] = url }
    self.environment = environment
  }

  /// Starts it. One that finds another at work ends at once. What it has to say is in `transfers/daemon.log`.
  ///
  /// - Throws: `launchFailed`.
  func start() throws(ExtensionError) {
    let path = Self.program
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW | O_CLOEXEC
    let log = open("\(home)/transfers/daemon.log", flags, 0o600)
    defer { for descriptor in [null, log] where descriptor >= 0 { close(descriptor) } }
    guard null >= 0 else { throw Self.failure(path, SystemError.last) }
    let words: [String] = [path, "sessions", "run", "--home", home] + (config.map { ["--config", $0] } ?? [])
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    let map = [null, null, log >= 0 ? log : null].enumerated().map {
      clinux_descriptor(source: $0.element, target: Int32($0.offset))
    }
    var pid: pid_t = 0
    var pidfd: Int32 = -1
    let error = clinux_spawn_session(path, &arguments, &variables, map, map.count, &pid, &pidfd)
    guard error == 0 else { throw Self.failure(path, SystemError(error)) }
    reap(pidfd)
  }

  /// Takes notice of the daemon's end, where this process sees it.
  private func reap(_ pidfd: Int32) {
    loop.execute { [loop] in
      var watch: Watch?
      watch = try? loop.watch(pidfd, for: .reading) { _ in
        var end: Int32 = 0
        var status: Int32 = 0
        _ = clinux_pidfd_reap(pidfd, 0, &end, &status)
        if let watch { loop.unwatch(watch) }
        close(pidfd)
      }
      if watch == nil { close(pidfd) }
    }
  }

  private static func failure(_ path: String, _ error: SystemError) -> ExtensionError {
    ExtensionError(
      .launchFailed, "Cannot start \(path) for the transfers: \(error).",
      recovery: "Run “host sessions run”: the transfers wait for it.")
  }

  /// The tool: this program, or the one beside it.
  private static var program: String {
    guard let own = File.resolved("/proc/self/exe") else { return "host" }
    let folder = Folder.parent(of: own)
    let names = ["host", "annex"]
    if names.contains(Folder.name(of: own)) { return own }
    return names.map { "\(folder)/\($0)" }.first { access($0, X_OK) == 0 } ?? own
  }
}
