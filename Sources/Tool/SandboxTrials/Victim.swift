import Glibc
import Sandbox

/// A process of the hostile program's own user, with a secret in memory and a life until its input ends.
final class Victim: Sendable {
  private let process: SandboxedProcess
  /// The process itself, as the host counts: not the launcher around it.
  let pid: Int32
  /// Where it keeps a secret, in hexadecimal.
  let address: String
  private let priority: Int32
  private let limits: String

  /// - Parameter plan: Starts `sandbox-attempts victim`, in a sandbox or outside of any.
  init(_ plan: LaunchPlan) throws {
    process = try plan.spawn()
    var waiting = pollfd(fd: process.standardOutput, events: Int16(POLLIN), revents: 0)
    var line = [UInt8](repeating: 0, count: 64)
    guard poll(&waiting, 1, TrialProcess.limit) == 1, read(process.standardOutput, &line, line.count) > 2 else {
      throw TrialError("The victim did not start.")
    }
    address = String(decoding: line.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    pid = Self.lastDescendant(of: process.pid)
    priority = getpriority(Int32(PRIO_PROCESS.rawValue), UInt32(pid))
    limits = Self.text(of: "/proc/\(pid)/limits")
  }

  func isUntouched() -> Bool {
    let samePriority = getpriority(Int32(PRIO_PROCESS.rawValue), UInt32(pid)) == priority
    let runs = (try? process.reap()) == .some(.none)
    return runs && samePriority && !limits.isEmpty && Self.text(of: "/proc/\(pid)/limits") == limits
  }

  private static func lastDescendant(of pid: Int32) -> Int32 {
    let children = text(of: "/proc/\(pid)/task/\(pid)/children").split(separator: " ").compactMap { Int32($0) }
    return children.first.map(lastDescendant) ?? pid
  }

  private static func text(of path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  deinit {
    // Ends when its input ends, and with its lifeline in any case.
    close(process.standardInput)
    if process.control >= 0 { process.cutLifeline() }
    _ = try? process.waitUntilExit()
    process.closeAllButInput()
  }
}
