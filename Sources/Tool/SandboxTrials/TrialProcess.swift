import Glibc
package import Sandbox

/// Everything that one sandbox said until it was gone.
package struct TrialProcess: Sendable {
  /// What the program wrote to its standard output.
  package private(set) var output = ""
  /// What the program wrote to its standard error.
  package private(set) var errors = ""
  /// The records of the launcher.
  package private(set) var statuses: [LaunchStatus] = []
  /// How the process that was spawned ended.
  package private(set) var exit: ExtensionExit?
  /// Whether it had to be ended by force.
  package private(set) var wasLate = false

  /// How the program ended, when the launcher said so.
  package var ended: ExtensionExit? {
    guard case .ended(let exit)? = statuses.last else { return nil }
    return exit
  }

  /// For a program that takes a hundredth of that: the machine may be busy with other things.
  package static let limit: Int32 = 30_000
  private static let kept = 1 << 20

  /// Spawns with an empty input and reads everything until all pipes have ended.
  package static func run(_ plan: LaunchPlan) throws(SandboxError) -> TrialProcess {
    let process = try plan.spawn()
    defer { process.closeAllButInput() }
    close(process.standardInput)
    return try collect(process)
  }

  /// Reads everything until all pipes have ended, and reaps. Leaves the descriptors open.
  package static func collect(_ process: SandboxedProcess) throws(SandboxError) -> TrialProcess {
    var result = TrialProcess()
    var decoder = LaunchStatusDecoder()
    var output: [UInt8] = []
    var errors: [UInt8] = []
    var open = [process.standardOutput, process.standardError, process.control].filter { $0 >= 0 }
    while !open.isEmpty {
      var polled = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let ready = poll(&polled, nfds_t(polled.count), limit)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0, output.count < kept, errors.count < kept else {
        result.wasLate = true
        break
      }
      for entry in polled where entry.revents != 0 {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(entry.fd, &buffer, buffer.count)
        if count <= 0 { open.removeAll { $0 == entry.fd } }
        let bytes = buffer[..<max(count, 0)]
        switch entry.fd {
        case process.standardOutput: output += bytes
        case process.standardError: errors += bytes
        default: result.statuses += try decoder.decode(bytes)
        }
      }
    }
    if result.wasLate { try? process.signal(SIGKILL) }
    result.exit = try process.waitUntilExit()
    result.output = String(decoding: output, as: UTF8.self)
    result.errors = String(decoding: errors, as: UTF8.self)
    return result
  }
}
