import Glibc
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(1)))
struct `The identity of a process` {
  @Test(arguments: [(1 as Int32, 0 as UInt64), (4_194_304, 884_422)])
  func `is read as it was written`(pid: Int32, startTime: UInt64) {
    let identity = ProcessIdentity(pid: pid, startTime: startTime)
    #expect(identity.text == "\(pid)-\(startTime)")
    #expect(ProcessIdentity(identity.text) == identity)
  }

  @Test(arguments: ["", "1", "1-", "-1-2", "0-2", "01-2", "1-+2", "1-2-3", "1-x", "99999999999-1", " 1-2"])
  func `is no other text`(text: String) { #expect(ProcessIdentity(text) == nil) }

  @Test func `tells a process from a later one with its number`() {
    let me = ProcessIdentity.current
    #expect(me.pid == getpid() && me.startTime > 0 && me.isAlive)
    #expect(!ProcessIdentity(pid: me.pid, startTime: me.startTime - 1).isAlive)
    // No process has this number: Linux ends below 2^22.
    #expect(!ProcessIdentity(pid: 9_999_999, startTime: me.startTime).isAlive)
  }

  @Test func `is that of nobody once the process has ended, also before it is reaped`() throws {
    let process = try LaunchPlan.unsafeNoSandbox(executable: "/bin/cat", arguments: []).spawn()
    defer { for end in [process.standardOutput, process.standardError, process.pidfd] { close(end) } }
    let stat = try #require(ProcessIdentity.Stat(of: process.pid))
    let identity = ProcessIdentity(pid: process.pid, startTime: stat.startTime)
    #expect(identity.isAlive && !stat.hasEnded)
    close(process.standardInput)
    var ending = pollfd(fd: process.pidfd, events: Int16(POLLIN), revents: 0)
    #expect(poll(&ending, 1, 20_000) == 1)
    #expect(kill(process.pid, 0) == 0, "it is a zombie")
    #expect(!identity.isAlive)
    #expect(try process.waitUntilExit() == .exited(code: 0))
    #expect(!identity.isAlive)
  }

  @Test func `is alive where the kernel does not tell`() throws {
    let stat = try #require(ProcessIdentity.Stat(Self.file("S", threads: 1)))
    #expect(ProcessIdentity(pid: 5, startTime: 22).isAlive(nil))
    #expect(ProcessIdentity(pid: 5, startTime: 0).isAlive(stat))
    #expect(ProcessIdentity(pid: 5, startTime: 22).isAlive(stat))
    #expect(!ProcessIdentity(pid: 5, startTime: 21).isAlive(stat))
  }

  /// Each number but that of the threads is that of its field.
  private static func file(_ state: String, threads: Int, name: String = "a b") -> [UInt8] {
    Array("5 (\(name)) \(state) 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 \(threads) 21 22 23 24\n".utf8)
  }

  @Test(arguments: [("S", 1, false), ("R", 9, false), ("T", 1, false), ("Z", 1, true), ("X", 0, true), ("Z", 3, false)])
  func `has ended with the last of its threads`(state: String, threads: Int, hasEnded: Bool) {
    #expect(ProcessIdentity.Stat(Self.file(state, threads: threads))?.hasEnded == hasEnded)
  }

  @Test(arguments: ["a b", ") Z 5)", "\n", ""])
  func `is read whatever the process is called`(name: String) {
    let stat = ProcessIdentity.Stat(Self.file("S", threads: 1, name: name))
    #expect(stat?.startTime == 22 && stat?.hasEnded == false)
  }

  @Test(arguments: ["", "1 a", ")", "1 (a) S 4 5", "1 (a) Z 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 x 21 22"])
  func `is not read from what is no such file`(text: String) {
    #expect(ProcessIdentity.Stat(Array(text.utf8)) == nil)
  }
}
