import CLinux
import Glibc
import Sandbox

extension Workshop {
  /// Everything that one process said until it was gone.
  struct Result: Sendable {
    var output = ""
    var error = ""
    var statuses: [LaunchStatus] = []
    /// How the process that was spawned ended.
    var exit: ExtensionExit?

    /// How the extension ended, when the launcher said so.
    var ended: ExtensionExit? {
      guard case .ended(let exit)? = statuses.last else { return nil }
      return exit
    }
  }

  /// Spawns, writes the input, reads everything until all pipes have ended, reaps.
  static func run(_ plan: LaunchPlan, input: String = "") throws -> Result {
    let process = try plan.spawn()
    defer { close(process) }
    let bytes = Array(input.utf8)
    guard Glibc.write(process.standardInput, bytes, bytes.count) == bytes.count else {
      throw Failure("input: \(errno)")
    }
    Glibc.close(process.standardInput)
    return try collect(process)
  }

  /// Reads all pipes to their ends and reaps. Leaves the descriptors open.
  static func collect(_ process: SandboxedProcess) throws -> Result {
    var result = Result()
    var decoder = LaunchStatusDecoder()
    var output: [UInt8] = []
    var error: [UInt8] = []
    var open = [process.standardOutput, process.standardError, process.status].filter { $0 >= 0 }
    while !open.isEmpty {
      var polled = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&polled, nfds_t(polled.count), -1) >= 0 || errno == EINTR else { throw Failure("poll: \(errno)") }
      for entry in polled where entry.revents != 0 {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(entry.fd, &buffer, buffer.count)
        if count <= 0 { open.removeAll { $0 == entry.fd } }
        let bytes = buffer[..<max(count, 0)]
        switch entry.fd {
        case process.standardOutput: output += bytes
        case process.standardError: error += bytes
        default: result.statuses += try decoder.decode(bytes)
        }
      }
    }
    result.exit = try process.waitUntilExit()
    result.output = String(decoding: output, as: UTF8.self)
    result.error = String(decoding: error, as: UTF8.self)
    return result
  }

  /// Closes what `spawn` gave, except standard input, which `run` closes itself.
  static func close(_ process: SandboxedProcess) {
    for descriptor in [
      process.standardOutput, process.standardError, process.status, process.lifeline, process.pidfd,
    ] where descriptor >= 0 {
      Glibc.close(descriptor)
    }
  }
}
