import DataConnectClient
import HTTPClient
import HTTPServer
import JSON
import Synchronization
import TestSupport
import Testing
import WebSocket

@testable import DataConnectEmulator

/// How much one stream may have open, and that what has ended counts no more.
@Suite(.timeLimit(.minutes(1)))
struct `The bounds of a stream` {
  private static let operations = """
    query One($n: Int!) @auth(level: PUBLIC) { movies(where: {year: {eq: $n}}) { title } }
    """

  private func run(_ body: (StreamClient, TestEmulator) async throws -> Void) async throws {
    try await StreamClient.run(Self.operations, body)
  }

  private func call(_ number: Int) -> JSONValue { ["operationName": "One", "variables": ["n": JSONValue(number)]] }

  @Test func `are a thousand subscriptions, of which each that is cancelled or replaced makes room`() async throws {
    try await run { client, emulator in
      for number in 0..<1_001 { try client.say("\(number)", "subscribe", call(number)) }
      await StreamClient.until {
        client.count("too many subscriptions") == 1 && emulator.emulator.liveQueries.count == 1_000
      }
      #expect(client.told.withLock { $0.first { $0.members.contains("too many") }?.request } == "1000")
      try client.say("7", "cancel")
      try client.say("1000", "subscribe", call(1_000))
      await StreamClient.until {
        client.told.withLock { $0.contains { $0.request == "1000" && $0.members.contains("dataEtag") } }
      }
      #expect(emulator.emulator.liveQueries.count == 1_000)
      #expect(emulator.emulator.liveQueries.subscriberCount == 1_000)
      // The same name again is another subscription in the place of the one before, also in the last place.
      for number in 2_000..<2_003 { try client.say("9", "subscribe", call(number)) }
      await StreamClient.until {
        client.told.withLock { $0.count { $0.request == "9" && $0.members.contains("dataEtag") } } >= 2
      }
      await StreamClient.until {
        emulator.emulator.liveQueries.subscriberCount == 1_000 && emulator.emulator.liveQueries.count == 1_000
      }
      #expect(client.count("too many subscriptions") == 1)
    }
  }

  @Test func `are those of each name, whose bytes count`() async throws {
    try await run { client, emulator in
      let names = ["\u{E9}", "e\u{301}"]
      for (number, name) in names.enumerated() { try client.say(name, "subscribe", call(number)) }
      // The frames of a client are taken in their order.
      try client.say("last", "execute", call(9))
      _ = await client.answer(to: "last")
      #expect(emulator.emulator.liveQueries.subscriberCount == 2)
      try client.say("e\u{301}", "cancel")
      try client.say("next", "execute", call(9))
      _ = await client.answer(to: "next")
      #expect(emulator.emulator.liveQueries.subscriberCount == 1)
      try client.say("\u{E9}", "resume")
      try client.say("end", "execute", call(9))
      _ = await client.answer(to: "end")
      #expect(client.count("There is no such subscription.") == 0)
    }
  }

  @Test func `are 64 operations at once, again and again`() async throws {
    try await run { client, _ in
      for round in 1...3 {
        for number in 0..<64 { try client.say("\(round)-\(number)", "execute", call(number)) }
        await StreamClient.until {
          client.count("\"movies\":[]") == round * 64 || client.count("Too many operations") > 0
        }
        #expect(client.count("Too many operations") == 0, "round \(round)")
      }
    }
  }

  @Test func `are not the 65th operation at once, and the next one after one of them`() async throws {
    try await run { client, _ in
      client.hold(true)
      for number in 0..<65 { try client.say("\(number)", "execute", call(number)) }
      await StreamClient.until { client.heldCount == 64 && client.count("Too many operations") == 1 }
      #expect(client.told.withLock { $0.map(\.request) } == ["64"])
      client.hold(false)
      await StreamClient.until { client.count("\"movies\":[]") == 64 }
      // An operation ends just after its answer was sent.
      var turn = 0
      repeat {
        turn += 1
        let request = "again-\(turn)"
        try client.say(request, "execute", call(turn))
        await StreamClient.until { client.told.withLock { $0.contains { $0.request == request } } }
      } while client.count("\"movies\":[]") == 64 && !Task.isCancelled
      #expect(client.count("\"movies\":[]") == 65)
    }
  }
}

/// One message of a client, as its text has it.
@Suite(.timeLimit(.minutes(1)))
struct `A frame of a stream` {
  private func frame(_ text: String) throws -> StreamFrame { try StreamFrame(text) }

  private func action(_ frame: StreamFrame) -> String {
    switch frame.action {
    case .subscribe(let call): "subscribe \(call.name ?? "-")"
    case .execute(let call): "execute \(call.name ?? "-")"
    case .resume: "resume"
    case .cancel: "cancel"
    case nil: "none"
    }
  }

  @Test(arguments: [
    (#"{"requestId": "1", "subscribe": {"operationName": "A"}}"#, "subscribe A"),
    (#"{"requestId": "1", "execute": {"operationName": "B"}}"#, "execute B"),
    (#"{"requestId": "1", "resume": {}}"#, "resume"),
    (#"{"requestId": "1", "cancel": {}}"#, "cancel"), (#"{"requestId": "1"}"#, "none"), ("{}", "none"),
    (#"{"requestId": "1", "cancel": {}, "resume": {}}"#, "resume"),
    (#"{"requestId": "1", "cancel": {}, "execute": {"operationName": "B"}}"#, "execute B"),
  ])
  func `does one thing`(text: String, expected: String) throws { #expect(action(try frame(text)) == expected) }

  @Test(arguments: [
    "", "[]", "{", #"{"subscribe": {}}"#, #"{"cancel": {}}"#, #"{"requestId": 1, "resume": {}}"#,
    #"{"requestId": "1", "execute": 1}"#,
  ])
  func `is refused when it is none, or has no name`(text: String) {
    let failure = #expect(throws: RequestFailure.self) { try frame(text) }
    #expect(failure?.code == .invalidArgument)
  }

  @Test func `has a name of 512 bytes`() throws {
    let longest = String(repeating: "é", count: 256)
    #expect(try frame(#"{"requestId": "\#(longest)", "cancel": {}}"#).request == longest)
    #expect(throws: RequestFailure.self) { try frame(#"{"requestId": "\#(longest)a", "cancel": {}}"#) }
  }

  @Test(
    arguments: [
      ("projects/p/locations/l/services/s/connectors/c", "c"), ("projects/p/locations/l/services/s/connectors/", ""),
      ("projects/p/locations/l/services/s/others/c", nil), ("projects/p/locations/l/services/s/connectors/c/d", nil),
      ("connectors/c", nil), ("", nil),
    ] as [(String, String?)])
  func `names a connector by its whole name`(name: String, connector: String?) throws {
    #expect(try frame(#"{"name": "\#(name)"}"#).connector == connector)
  }

  @Test(
    arguments: [
      (#"{"headers": {"X-Firebase-Auth-Token": "t"}}"#, "t"), (#"{"headers": {"x-firebase-auth-token": ""}}"#, ""),
      (#"{"headers": {"X-FIREBASE-AUTH-TOKEN": null}}"#, ""), (#"{"headers": {"Authorization": "t"}}"#, nil),
      (#"{"headers": []}"#, nil), ("{}", nil),
    ] as [(String, String?)])
  func `has a token, none from now on, or says nothing of it`(text: String, token: String?) throws {
    #expect(try frame(text).token == token)
    #expect(try frame(#"{"dataEtag": "e"}"#).etag == "e" && frame("{}").etag == nil)
  }
}

/// What carries a stream over WebSocket.
@Suite(.timeLimit(.minutes(1)))
struct `The socket of a stream` {
  @Test(
    arguments: [
      (.unauthenticated, 4_401), (.resourceExhausted, 1_013), (.invalidArgument, 1_008), (.permissionDenied, 1_008),
    ] as [(FailureCode, UInt16)])
  func `is closed with a code that tells what went wrong`(code: FailureCode, expected: UInt16) async throws {
    let server = HTTPServer { request in
      .webSocket(answering: request) { socket in
        SocketChannel(socket: socket).refuse(RequestFailure(code, "It is over."))
      }
    }
    try await server.withRunning { address in
      let socket = try await HTTPClient.patient.webSocket(to: address.socketURL)
      #expect(try await socket.receive() == nil)
      #expect(socket.closing?.code == expected && socket.closing?.message.contains("It is over.") == true)
    }
  }
}
