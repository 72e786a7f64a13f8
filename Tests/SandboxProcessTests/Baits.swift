import CLinux
import Glibc
import Sandbox
import Testing

/// Everything that a hostile extension could reach if its sandbox failed, owned by its own user, so that nothing but
/// the sandbox stands between.
final class Baits: Sendable {
  let workshop: Workshop
  let victim: Victim
  let listeners: Listeners
  let executable: String
  let script: String
  /// A descriptor that the host forgot to mark as close-on-exec.
  private let leak: Int32

  var secret: String { workshop.root + "/state/secret" }
  var otherContainer: String { workshop.root + "/other" }
  var readOnlyGroup: String { workshop.root + "/group" }

  init(host: Workshop.Host) throws {
    workshop = try Workshop(host: host)
    executable = try workshop.install("Escapee")
    script = workshop.bundle + "/script"
    try workshop.write("#!/bin/sh\necho found a script\n", to: script, mode: 0o755)
    for directory in ["/state", "/other", "/group"] {
      let path = workshop.root + directory
      try workshop.makeDirectory(path, mode: 0o755)
      try workshop.write("secret", to: path + "/secret", mode: 0o600)
      try workshop.give(path)
      try workshop.give(path + "/secret")
    }
    let planted = workshop.scratch + "/planted"
    guard symlink(workshop.root + "/state/secret", planted) == 0 else { throw Failure("symlink: \(errno)") }
    victim = try Victim(workshop: workshop, executable: executable)
    listeners = try Listeners(directory: workshop.root)
    leak = fcntl(open("/etc/passwd", O_RDONLY | O_CLOEXEC), F_DUPFD, 40)
  }

  deinit { close(leak) }

  /// Runs the attempt in a sandbox.
  func run(_ attempt: Attempt, tier: SandboxTier) throws -> Workshop.Result {
    var policy = workshop.policy(executable, arguments: [attempt.name] + attempt.arguments(self))
    policy.containers = [SandboxPolicy.Container(path: readOnlyGroup, access: .readOnly)]
    return try Workshop.run(try workshop.plan(policy, tier: tier))
  }

  /// What must be as it was, whatever the extension says about itself.
  func expectUntouched(sourceLocation: SourceLocation = #_sourceLocation) throws {
    for directory in ["/state", "/other", "/group"] {
      let path = workshop.root + directory + "/secret"
      #expect(Workshop.contents(of: path) == "secret", sourceLocation: sourceLocation)
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o600, sourceLocation: sourceLocation)
      #expect(access(workshop.root + directory + "/new", F_OK) != 0, sourceLocation: sourceLocation)
    }
    for place in ["/tmp/", "/var/tmp/", "/usr/", "/", "/dev/shm/"] {
      let path = place + workshop.root.lastComponent + (place == "/tmp/" ? "/outside" : "")
      #expect(access(path, F_OK) != 0, "\(path) exists", sourceLocation: sourceLocation)
    }
    #expect(listeners.heardNothing, sourceLocation: sourceLocation)
    #expect(try victim.isUntouched(), sourceLocation: sourceLocation)
  }
}

/// A process of the extension's own user, outside the sandbox.
final class Victim: Sendable {
  private let process: SandboxedProcess
  /// Where it keeps a secret, in hexadecimal.
  let address: String
  private let priority: Int32
  private let limits: String

  var pid: Int32 { process.pid }

  init(workshop: Workshop, executable: String) throws {
    let command = workshop.asUser + [executable, "victim"]
    process = try LaunchPlan.unsafeNoSandbox(executable: command[0], arguments: Array(command.dropFirst())).spawn()
    var waiting = pollfd(fd: process.standardOutput, events: Int16(POLLIN), revents: 0)
    var line = [UInt8](repeating: 0, count: 64)
    guard poll(&waiting, 1, 10_000) == 1, read(process.standardOutput, &line, line.count) > 2 else {
      throw Failure("no victim")
    }
    address = String(decoding: line.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    priority = getpriority(Int32(PRIO_PROCESS.rawValue), UInt32(process.pid))
    limits = Workshop.contents(of: "/proc/\(process.pid)/limits") ?? ""
  }

  func isUntouched() throws -> Bool {
    let samePriority = getpriority(Int32(PRIO_PROCESS.rawValue), UInt32(pid)) == priority
    let limits = Workshop.contents(of: "/proc/\(pid)/limits") ?? ""
    return try process.reap() == nil && samePriority && limits == self.limits
  }

  deinit {
    // Ends when its input ends.
    close(process.standardInput)
    _ = try? process.waitUntilExit()
    for descriptor in [process.standardOutput, process.standardError, process.pidfd] { close(descriptor) }
  }
}
