import CLinux
import Glibc
import Sandbox
import SandboxTrials
import Testing

/// What becomes of a process is bound to no thread and to no number.
@Suite(.timeLimit(.minutes(1)))
struct `A process that a host has started` {
  /// A program that repeats each line.
  private func cat() throws -> SandboxedProcess {
    try LaunchPlan.unsafeNoSandbox(executable: "/bin/cat").spawn()
  }

  /// Two with one number, the first of which has ended. What others start may take the number and keep it, so that each
  /// attempt has a first one of its own.
  private func ofOneNumber() throws -> (first: SandboxedProcess, second: SandboxedProcess) {
    for _ in 0..<200 {
      let first = try cat()
      close(first.standardInput)
      _ = try first.waitUntilExit()
      NextNumber.choose(first.pid)
      let second = try cat()
      if second.pid == first.pid { return (first, second) }
      first.closeAllButInput()
      try end(second)
    }
    throw Failure("no process has got the number of another one")
  }

  private func end(_ process: SandboxedProcess) throws {
    close(process.standardInput)
    #expect(try process.waitUntilExit() == .exited(code: 0))
    process.closeAllButInput()
  }

  @Test(arguments: SandboxTier.allCases)
  func `lives on when the thread ends that started it`(tier: SandboxTier) throws {
    let workshop = try Workshop()
    let policy = workshop.policy(try workshop.install("sandbox-attempts"), arguments: ["wait"])
    let starter = Starter(try workshop.plan(policy, tier: tier))
    let process = try starter.run()
    // The thread is gone, and whatever the kernel sends at its end has been sent.
    #expect(!starter.threadIsThere)
    #expect(try ProcessTree.lines(1, from: process.standardOutput) == ["ready"])
    // The extension may speak before the launcher says that it runs.
    var waiting = pollfd(fd: process.control, events: Int16(POLLIN), revents: 0)
    #expect(poll(&waiting, 1, 20_000) == 1)
    #expect(try process.reap() == nil)
    try process.signal(SIGTERM)
    #expect(try TrialProcess.collect(process).statuses == [.executed])
    close(process.standardInput)
    process.closeAllButInput()
  }

  @Test(.enabled("the number of the next process cannot be chosen here", { NextNumber.canBeChosen }))
  func `is never confused with a later one that has its number`() throws {
    let (first, second) = try ofOneNumber()
    #expect(throws: SandboxError.self) { try first.signal(SIGKILL) }
    #expect(throws: SandboxError.self) { try first.reap() }
    #expect(write(second.standardInput, "well\n", 5) == 5)
    #expect(try ProcessTree.lines(1, from: second.standardOutput) == ["well"])
    first.closeAllButInput()
    try end(second)
  }
}

/// Starts a process from a thread that ends right after.
private final class Starter: @unchecked Sendable {
  private let plan: LaunchPlan
  private var outcome: Result<SandboxedProcess, any Error> = .failure(Failure("the thread did not run"))
  private var thread = ""

  init(_ plan: LaunchPlan) { self.plan = plan }

  var threadIsThere: Bool { Workshop.contents(of: "/proc/\(thread)/stat") != nil }

  /// - Returns: the process; the thread is gone by then.
  func run() throws -> SandboxedProcess {
    var handle = pthread_t()
    let me = Unmanaged.passRetained(self)
    let error = pthread_create(
      &handle, nil,
      { argument in
        guard let argument else { return nil }
        let starter = Unmanaged<Starter>.fromOpaque(argument).takeRetainedValue()
        var link = [CChar](repeating: 0, count: 256)
        let length = max(0, readlink("/proc/thread-self", &link, link.count))
        starter.thread = String(decoding: link[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        starter.outcome = Result { try starter.plan.spawn() }
        return nil
      }, me.toOpaque())
    guard error == 0 else { throw Failure("pthread_create: \(error)") }
    pthread_join(handle, nil)
    // Joining returns a moment before the kernel is done with the thread.
    while threadIsThere { sched_yield() }
    return try outcome.get()
  }
}

/// The kernel gives out numbers in turn; who may, says where it goes on.
private enum NextNumber {
  private static let file = "/proc/sys/kernel/ns_last_pid"
  static var canBeChosen: Bool { geteuid() == 0 && access(file, W_OK) == 0 }

  static func choose(_ pid: Int32) {
    let descriptor = open(file, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    let text = "\(pid - 1)"
    _ = write(descriptor, text, text.utf8.count)
    close(descriptor)
  }
}
