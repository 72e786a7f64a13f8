import CLinux
import EventLoop
import ExtensionProtocol
import Glibc
import Synchronization
import Testing

@testable import ExtensionHosting

/// The way of a question from a host to a page, both in this process.
@Suite(.timeLimit(.minutes(1))) struct `A desk for questions` {
  private let folder: TemporaryFolder
  private let state: StateDirectory
  private let loop: EventLoop

  init() throws {
    folder = try TemporaryFolder()
    state = StateDirectory(path: "\(folder.path)/state")
    loop = try EventLoop.started(name: "desk", spin: .zero)
  }

  private var question: PermissionQuestion {
    var caller = Caller.Identity(
      id: "com.example.a", version: "1", displayName: "Ä\u{202e}", point: ExtensionPoint(rawValue: "com.example.point"),
      containingApp: "com.example", groups: [], entitlements: [])
    caller.origin = "Team"
    return PermissionQuestion(caller: caller, permission: .network, scope: ["a.example", "b.example"], reason: "why")
  }

  /// The file of a socket is there before the first connection is taken: the kernel's list says when (proc(5)).
  private static func isListenedTo(_ path: String) -> Bool {
    let list = open("/proc/net/unix", O_RDONLY | O_CLOEXEC)
    guard access(path, F_OK) == 0, list >= 0 else { return false }
    defer { close(list) }
    var (sockets, buffer): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1 << 16))
    while case let count = read(list, &buffer, buffer.count), count > 0 { sockets += buffer[..<count] }
    return String(decoding: sockets, as: UTF8.self).split(separator: "\n")
      .contains { $0.hasSuffix(path) && $0.contains(" 00010000 ") }
  }

  /// Runs the body while the desk is served; it is there when the body begins.
  private func served<Value: Sendable>(
    _ answer: @escaping @Sendable (PermissionQuestion) async -> Consent.Answer,
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let (state, loop, path) = (state, loop, state.paths.questionSocket)
    return try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask {
        await QuestionDesk(state).serve(on: loop, answer)
        return nil
      }
      while !Self.isListenedTo(path) { await Task.yield() }
      group.addTask { try await body() }
      let value = try await group.next() ?? nil
      group.cancelAll()
      return try #require(value)
    }
  }

  @Test func `shows as much of an extension's words as a host does, whoever sends them`() {
    let accents = String(repeating: "\u{301}", count: 200)
    for (reason, count) in [("why", 3), (String(repeating: "é", count: 200), 200), ("e" + accents, 200)] {
      var asked = question
      asked.reason = reason
      #expect(QuestionAsked(asked).question?.reason.unicodeScalars.count == count)
    }
  }

  @Test(arguments: [Consent.Answer.granted, .grantedOnce, .grantedForSession, .denied, .dismissed])
  func `takes each answer back, and shows all that is asked`(answer: Consent.Answer) async throws {
    let (desk, question) = (QuestionDesk(state), question)
    let seen = Mutex<PermissionQuestion?>(nil)
    let said = try await served({ asked in
      seen.withLock { $0 = asked }
      return answer
    }) { await desk.ask(question) }
    #expect(said == answer)
    let asked = try #require(seen.withLock { $0 })
    #expect(asked.caller.id == question.caller.id && asked.caller.displayName == question.caller.displayName)
    #expect(asked.caller.origin == "Team" && asked.caller.containingApp == "com.example")
    #expect(asked.caller.point == question.caller.point && asked.permission.name == "network")
    #expect(asked.scope == question.scope && asked.reason == "why")
    #expect(access(state.paths.questionSocket, F_OK) != 0, "the socket goes with the page")
  }

  @Test func `without a page decides nothing`() async {
    #expect(await QuestionDesk(state).ask(question) == .dismissed)
    #expect(await QuestionDesk(state).ask(question, on: loop) == nil)
  }

  @Test func `forgets the question of a host that waits no more`() async throws {
    let (desk, question) = (QuestionDesk(state), question)
    let (begun, began) = AsyncStream.makeStream(of: Void.self)
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    try await served({ _ in
      began.yield()
      await untilCancelled()
      end.yield()
      return .granted
    }) {
      let asking = Task { await desk.ask(question) }
      for await _ in begun { break }
      asking.cancel()
      for await _ in ended { break }
      #expect(await asking.value == .dismissed, "an answer that comes too late is none")
    }
  }

  @Test func `has room for 32 hosts, and again when one is gone`() async throws {
    let (desk, question, path, loop) = (QuestionDesk(state), question, state.paths.questionSocket, loop)
    try await served({ _ in .denied }) {
      let idle = (0..<32).map { _ in clinux_local_connect(path) }
      #expect(idle.allSatisfy { $0 >= 0 })
      #expect(await desk.ask(question, on: loop) == nil)
      close(idle[0])
      var answer: Consent.Answer?
      while answer == nil { answer = await desk.ask(question, on: loop) }
      #expect(answer == .denied)
      for descriptor in idle.dropFirst() { close(descriptor) }
    }
  }

  @Test(arguments: [
    #"{"jsonrpc":"2.0","id":1,"method":"question/ask","params":{"id":"a"}}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"question/ask","params":{"id":"a","displayName":"","point":"","containingApp":"","origin":"","permission":"everything","scope":[],"reason":""}}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"other","params":{}}"#, "[1",
  ])
  func `refuses what is no question`(line: String) async throws {
    let path = state.paths.questionSocket
    let answer = try await served({ _ in .granted }) {
      let descriptor = clinux_local_connect(path)
      defer { close(descriptor) }
      var (text, bytes) = (line + "\n", [UInt8](repeating: 0, count: 4_096))
      text.withUTF8 { _ = write(descriptor, $0.baseAddress, $0.count) }
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = Glibc.poll(&poll, 1, 20_000)
      return String(decoding: bytes[..<max(0, read(descriptor, &bytes, bytes.count))], as: UTF8.self)
    }
    #expect(answer.contains("\"error\"") && !answer.contains("granted"), "\(answer)")
  }
}
