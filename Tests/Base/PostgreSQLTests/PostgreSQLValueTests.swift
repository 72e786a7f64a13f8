import EventLoop
import Testing

@testable import PostgreSQL

@Suite(.timeLimit(.minutes(1)))
struct `A value for PostgreSQL` {
  private func bytes(_ value: PostgreSQLValue) -> [UInt8] {
    var bytes: [UInt8] = []
    value.encode(into: &bytes)
    return bytes
  }

  @Test func `is encoded as the server reads it`() {
    #expect(bytes(.null) == [] && bytes(.boolean(false)) == [0] && bytes(.boolean(true)) == [1])
    #expect(bytes(.integer(-2)) == [255, 255, 255, 255, 255, 255, 255, 254])
    #expect(bytes(.real(-0.5)) == [0xBF, 0xE0, 0, 0, 0, 0, 0, 0])
    #expect(bytes(.text("é")) == [0xC3, 0xA9, 0] && bytes(.bytes([])) == [])
    // An array of no elements has no dimension, and no bound of one.
    #expect(bytes(.integers([])) == [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 20])
    #expect(bytes(.manyBytes([])) == [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 17])
    let head: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 17, 0, 0, 0, 2, 0, 0, 0, 1]
    #expect(bytes(.manyBytes([nil, [5]])) == head + [255, 255, 255, 255, 0, 0, 0, 1, 5])
  }

  @Test func `is bound with its type, its form and its length`() throws {
    let parameters = try Parameters([.null, .bytes([]), .text("é"), .integer(1)])
    #expect(parameters.types == [0, 17, 0, 20])
    let (count, lengths, formats, isNull) = parameters.withPointers { count, values, lengths, formats in
      (
        count, (0..<4).map { lengths?[$0] }, (0..<4).map { formats?[$0] },
        (0..<4).map { values?[$0] == nil }
      )
    }
    #expect(count == 4 && lengths == [0, 0, 3, 8] && formats == [1, 1, 0, 1])
    #expect(isNull == [true, false, false, false])
    // Also one of no bytes that is the last.
    #expect(try Parameters([.bytes([])]).withPointers { _, values, _, _ in values?[0] != nil })
  }

  @Test func `is one of 65535 at most, and no text with a NUL`() throws {
    let most = [PostgreSQLValue](repeating: .null, count: 65_535)
    #expect(try Parameters(most).types.count == 65_535)
    for values in [most + [.null], [.text("a\0")], [.text("\0a")]] {
      let error = #expect(throws: PostgreSQLError.self) { try Parameters(values) }
      #expect(error?.kind == .misuse)
    }
    #expect(throws: Never.self) { try Parameters([.bytes([0])]) }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `An error of PostgreSQL` {
  @Test func `is worth another try where it passes`() {
    let passing = ["40001", "40P01", "57P01", "57P02", "57P03", "25006", "53300", "55P03", "08000", "08006"]
    for state in passing { #expect(PostgreSQLError(.refused, "", sqlState: state).isRetryable, "\(state)") }
    for state in ["23505", "40002", "57014", "42501", "80000", nil] {
      #expect(!PostgreSQLError(.refused, "", sqlState: state).isRetryable, "\(state ?? "none")")
    }
    let retryable: Set = [PostgreSQLError.Kind.cannotConnect, .connectionLost, .notReplicated]
    for kind in PostgreSQLError.Kind.allCases {
      #expect(PostgreSQLError(kind, "").isRetryable == retryable.contains(kind), "\(kind)")
    }
    #expect(PostgreSQLError.unreplicated.isOutcomeUnknown && !PostgreSQLError(.refused, "").isOutcomeUnknown)
  }

  @Test func `says what to do, and what the server called it`() {
    func advice(_ state: String?) -> String { PostgreSQLError(.refused, "No.", sqlState: state).recovery }
    #expect(advice("42501") == "Have the database's owner grant this user what is missing.")
    #expect(advice("42502") == "Look into the log of the server." && advice(nil) == advice("42502"))
    #expect(PostgreSQLError(.refused, "No.", sqlState: "42501").description == "No. (refused, PostgreSQL 42501)")
    #expect(PostgreSQLError(.timedOut, "No.").description == "No. (timedOut)")
    for kind in PostgreSQLError.Kind.allCases {
      let isPatient = kind == .connectionLost || kind == .cancelled || kind == .timedOut
      #expect(PostgreSQLError(kind, "").recovery.hasPrefix("Try again") == isPatient, "\(kind)")
    }
  }

  @Test func `is told in one line of 500 characters, without its full stop`() {
    #expect(ServerText.line("a\n\tb.\n") == "a b" && ServerText.line("a..") == "a." && ServerText.line("") == "")
    let most = String(repeating: "é", count: 500)
    #expect(ServerText.line(most) == most && ServerText.line(most + ".") == most && ServerText.line(most + "x") == most)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The servers of a URL` {
  private func parameters(_ target: PostgreSQLTarget) -> [[String: String]] {
    target.servers.map { Dictionary(target.parameters(for: $0), uniquingKeysWith: { _, last in last }) }
  }

  @Test func `are tried one after the other, each by its own port`() throws {
    let target = try PostgreSQLTarget("postgres://a:1,b:2/db")
    #expect(target.servers.map(\.overrides) == [["host": "a", "port": "1"], ["host": "b", "port": "2"]])
    let addresses = try PostgreSQLTarget("postgresql://a,b/db?hostaddr=10.0.0.1,10.0.0.2&port=7")
    #expect(addresses.servers.map(\.overrides["hostaddr"]) == ["10.0.0.1", "10.0.0.2"])
    #expect(addresses.servers.map(\.overrides["port"]) == ["7", "7"])
    #expect(try PostgreSQLTarget("postgresql://a:1/db").servers.map(\.overrides) == [[:]])
    #expect(try PostgreSQLTarget("postgresql:///db").description == "db on the usual server")
  }

  @Test func `are asked by a role and in an order only if that was said`() throws {
    let target = try PostgreSQLTarget("postgresql://me:Secret1@localhost/db")
    let usual = try #require(parameters(target).first)
    #expect(usual["user"] == nil && usual["password"] == nil && usual["options"] == nil && usual["sslmode"] == nil)
    #expect(usual["target_session_attrs"] == "read-write" && usual["client_encoding"] == "UTF8")
    let changed = try #require(parameters(target.signedIn(as: "r", password: "p").scanningInOrder).first)
    #expect(changed["user"] == "r" && changed["password"] == "p")
    #expect(changed["options"] == "-c synchronize_seqscans=off")
    #expect(target.isWritten("postgresql://me:Secret1@localhost/db") && !target.isWritten("postgresql://localhost/db"))
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A wait for a socket` {
  /// How waits end, one after the other, on a loop.
  private func outcomes(
    isCancelled: Bool = false,
    _ body: @escaping @Sendable (Readiness, EventLoop) async -> [Readiness.Outcome]
  ) async -> [Readiness.Outcome] {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    return await withTaskGroup(of: [Readiness.Outcome].self) { group in
      group.addTask(executorPreference: loop) { await body(Readiness(), loop) }
      if isCancelled { group.cancelAll() }
      return await group.next() ?? []
    }
  }

  @Test func `ends with what came before it, once, and forgets how an earlier one ended`() async {
    let found = await outcomes { readiness, loop in
      readiness.send()
      readiness.send()
      var found = [await readiness.wait(until: loop.time &+ 60_000_000_000, on: loop)]
      for _ in 0..<2 { found.append(await readiness.wait(until: loop.time, on: loop)) }
      readiness.send()
      found.append(await readiness.wait(until: loop.time &+ 60_000_000_000, on: loop))
      return found
    }
    #expect(found == [.ready, .timedOut, .timedOut, .ready])
  }

  @Test func `ends with its task, if it minds that`() async {
    let found = await outcomes(isCancelled: true) { readiness, loop in
      while !Task.isCancelled { await Task.yield() }
      var found: [Readiness.Outcome] = []
      for _ in 0..<2 { found.append(await readiness.wait(until: loop.time &+ 60_000_000_000, on: loop)) }
      readiness.send()
      found.append(await readiness.wait(until: loop.time &+ 60_000_000_000, on: loop, mindingCancellation: false))
      found.append(await readiness.wait(until: loop.time, on: loop, mindingCancellation: false))
      return found
    }
    #expect(found == [.cancelled, .cancelled, .ready, .timedOut])
  }
}
