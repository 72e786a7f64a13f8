import EventLoop
import ExtensionProtocol
import Files
import TestSupport
import Testing

@testable import HostCLI

/// A program that a command runs.
@Suite(.timeLimit(.minutes(1)))
struct `A program of a command` {
  private static func status(
    _ script: String, environment: [String: String] = [:], path: String = "/bin/sh"
  ) async throws -> Int32 {
    let loop = EventLoop.onThread(name: "child")
    let child = ChildCommand(path: path, arguments: ["-c", script], environment: environment)
    return try await withTaskExecutorPreference(loop) { try await child.run(on: loop) }
  }

  @Test(arguments: [("exit 0", 0), ("exit 7", 7), ("kill -TERM $$", 143), ("kill -KILL $$", 137)] as [(String, Int32)])
  func `ends with its status, or with 128 and the number of a signal`(script: String, status: Int32) async throws {
    #expect(try await Self.status(script) == status)
  }

  @Test func `has the variables that it was given, and nothing to read`() async throws {
    #expect(try await Self.status("test \"$A\" = \"b c\" && test -z \"$HOME\"", environment: ["A": "b c"]) == 0)
    #expect(try await Self.status("read line", environment: [:]) == 1)
  }

  @Test func `that is not there is an error`() async throws {
    let error = await #expect(throws: ExtensionError.self) {
      try await Self.status("", path: "/nonexistent/program")
    }
    #expect(error?.code == .launchFailed)
    #expect(error?.message.hasPrefix("Cannot run /nonexistent/program: ") == true)
  }

  @Test func `is asked to end when its task is cancelled, and seen to its end`() async throws {
    let folder = try TemporaryDirectory()
    let (begin, ready) = (folder.file("begin"), folder.file("ready"))
    // The pipe opens when both sides are there, so the trap is set before the task is cancelled.
    #expect(try await Self.status("mkfifo '\(begin)'", environment: ["PATH": "/usr/bin:/bin"]) == 0)
    let status = try await withThrowingTaskGroup(of: Int32?.self) { group in
      group.addTask {
        try await Self.status("trap 'exit 9' TERM; : >'\(ready)'; : >'\(begin)'; while :; do :; done")
      }
      group.addTask {
        _ = try await Self.status(": <'\(begin)'")
        return nil
      }
      // The second one ends first: the first runs until it is asked to end.
      let first = try await group.next()
      #expect(first == .some(.none))
      group.cancelAll()
      return try await group.next() ?? nil
    }
    #expect(status == 9)
    #expect(File.resolved(ready) != nil)
  }
}
