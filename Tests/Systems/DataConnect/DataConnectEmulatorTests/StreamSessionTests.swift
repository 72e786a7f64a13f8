import JSON
import TestSupport
import Testing
import WebSocket

@testable import DataConnectEmulator

/// What one client says on a stream, and what it is told then.
@Suite(.timeLimit(.minutes(1)))
struct `A session of a stream` {
  private static let operations = """
    mutation Add($title: String!, $year: Int) @auth(level: PUBLIC) { movie_insert(data: {title: $title, year: $year}) }
    mutation Tell($text: String!) @auth(level: USER) { note_insert(data: {text: $text}) }
    mutation Note($text: String!) @auth(level: USER) { note_insert(data: {text: $text}) }
    query One($n: Int!) @auth(level: PUBLIC) @refresh(onMutationExecuted: {operation: "Add"}) {
      movies(where: {year: {eq: $n}}) { title }
    }
    query Get($id: UUID!) @auth(level: PUBLIC) { movie(id: $id) { title } }
    query Mine @auth(level: USER) @refresh(onMutationExecuted: {operation: "Tell"}) {
      notes(where: {author: {eq_expr: "auth.uid"}}) { text }
    }
    query Said($text: String!) @auth(level: PUBLIC) @refresh(onMutationExecuted: {
        operation: "Tell",
        condition: "mutation.variables.text == vars.text && mutation.operationName == 'Tell' && mutation.auth.uid == 'ann'"
      }) {
      notes { text }
    }
    """

  private let one: JSONValue = ["operationName": "One", "variables": ["n": 1]]

  private func code(_ frame: JSONValue) -> JSONValue? { frame["errors"]?[0]?["extensions"]?["code"] }

  @Test func `goes on with the connector that it named last`() async throws {
    try await StreamClient.run(Self.operations) { client, _ in
      let name = "projects/demo/locations/us-east4/services/films/connectors/"
      try client.say(["requestId": "1", "execute": one])
      #expect(code(await client.answer(to: "1")) == "NOT_FOUND")
      try client.say(["name": .string(name + "movies")])
      for request in ["2", "3"] {
        try client.say(["requestId": .string(request), "execute": one])
        #expect(await client.answer(to: request)["data"] == ["movies": []])
      }
      try client.say(["requestId": "4", "subscribe": one])
      #expect(await client.answer(to: "4")["data"] == ["movies": []])
      try client.say(["requestId": "5", "name": .string(name + "others"), "execute": one])
      #expect(code(await client.answer(to: "5")) == "NOT_FOUND")
      // What is no name of a connector changes nothing.
      try client.say(["requestId": "6", "name": "movies", "execute": one])
      #expect(code(await client.answer(to: "6")) == "NOT_FOUND")
    }
  }

  @Test func `tells a failure of a call, and the end of a subscription`() async throws {
    try await StreamClient.run(Self.operations) { client, emulator in
      let missing: JSONValue = ["operationName": "Missing"]
      try client.say("1", "execute", missing)
      let failed = await client.answer(to: "1")
      #expect(code(failed) == "NOT_FOUND" && failed["cancelled"] == nil && failed["data"] == .null)
      try client.say("2", "subscribe", missing)
      let ended = await client.answer(to: "2")
      #expect(code(ended) == "NOT_FOUND" && ended["cancelled"] == true && ended["data"] == .null)
      // A mutation is not subscribed to.
      try client.say("3", "subscribe", ["operationName": "Add", "variables": ["title": "A"]])
      #expect(await client.answer(to: "3")["cancelled"] == true)
      for request in ["2", "never"] {
        try client.say(request, "resume")
        let answer = await client.answer(to: request, request == "2" ? 2 : 1)
        #expect(code(answer) == "NOT_FOUND" && answer["cancelled"] == true)
      }
      try client.say("never", "cancel")
      try client.say("4", "subscribe", one)
      #expect(await client.answer(to: "4")["data"] == ["movies": []])
      try client.say("4", "cancel")
      try client.say("4", "resume")
      #expect(code(await client.answer(to: "4", 2)) == "NOT_FOUND")
      #expect(emulator.emulator.liveQueries.count == 0 && client.answers(to: "never").count == 1)
    }
  }

  @Test func `tells only what is new to who subscribes or goes on with a tag`() async throws {
    try await StreamClient.run(Self.operations) { client, emulator in
      try client.say("1", "subscribe", one)
      let etag = try #require(await client.answer(to: "1")["dataEtag"])
      func say(_ request: String, _ action: String, _ body: JSONValue, _ etag: JSONValue) throws {
        try client.say(["requestId": .string(request), action: body, "dataEtag": etag])
      }
      try say("2", "subscribe", one, etag)
      try say("3", "subscribe", one, "another")
      #expect(await client.answer(to: "3")["dataEtag"] == etag)
      try say("1", "resume", [:], etag)
      try say("3", "resume", [:], "another")
      #expect(await client.answer(to: "3", 2)["dataEtag"] == etag)
      #expect(client.answers(to: "1").count == 1 && client.answers(to: "2").isEmpty)
      _ = try await emulator.mutate("Add", ["title": "A", "year": 1]).data()
      for (request, number) in [("1", 2), ("2", 1), ("3", 3)] {
        #expect(await client.answer(to: request, number)["data"] == ["movies": [["title": "A"]]])
      }
    }
  }

  @Test func `ends what another user follows, and keeps what the same one does`() async throws {
    try await StreamClient.run(Self.operations) { client, emulator in
      func sign(_ token: String) throws { try client.say(["headers": ["X-Firebase-Auth-Token": .string(token)]]) }
      try client.say("1", "subscribe", one)
      #expect(await client.answer(to: "1")["data"] == ["movies": []])
      for (number, token) in [TestEmulator.token("ann"), "", TestEmulator.token("bob"), ""].enumerated() {
        try sign(token)
        let end = await client.answer(to: "1", 2 * number + 2)
        #expect(code(end) == "UNAUTHENTICATED" && end["cancelled"] == true)
        #expect(emulator.emulator.liveQueries.count == 0)
        try client.say("1", "subscribe", one)
        #expect(await client.answer(to: "1", 2 * number + 3)["data"] == ["movies": []])
      }
      try client.say("1", "cancel")
      try sign(TestEmulator.token("ann"))
      try client.say("2", "subscribe", one)
      try client.say("3", "subscribe", ["operationName": "Mine"])
      #expect(await client.answer(to: "2")["data"] == ["movies": []])
      #expect(await client.answer(to: "3")["data"] == ["notes": []])
      // The same token, and other claims of the same user: only what depends on them begins anew.
      for token in [TestEmulator.token("ann"), TestEmulator.token("ann", ["iat": 1])] { try sign(token) }
      #expect(await client.answer(to: "3", 2)["data"] == ["notes": []])
      #expect(client.answers(to: "2").count == 1 && emulator.emulator.liveQueries.subscriberCount == 2)
      _ = try await emulator.mutate("Tell", ["text": "t"], as: "ann").data()
      #expect(await client.answer(to: "3", 3)["data"] == ["notes": [["text": "t"]]])
      _ = try await emulator.mutate("Add", ["title": "A", "year": 1]).data()
      #expect(await client.answer(to: "2", 2)["data"] == ["movies": [["title": "A"]]])
      #expect(client.answers(to: "3").count == 3)
    }
  }

  @Test func `ends what another user follows, whose name differs in its bytes alone`() async throws {
    try await StreamClient.run(Self.operations) { client, emulator in
      func sign(_ user: String) throws {
        try client.say(["headers": ["X-Firebase-Auth-Token": .string(TestEmulator.token(user))]])
      }
      try sign("jos\u{E9}")
      try client.say("1", "subscribe", one)
      #expect(await client.answer(to: "1")["data"] == ["movies": []])
      try sign("jose\u{301}")
      try client.say("2", "execute", one)
      #expect(await client.answer(to: "2")["data"] == ["movies": []])
      let end = try #require(client.answers(to: "1").last)
      #expect(code(end) == "UNAUTHENTICATED" && end["cancelled"] == true)
      #expect(emulator.emulator.liveQueries.count == 0)
    }
  }

  @Test func `executes as who asked, though another has signed in behind it`() async throws {
    try await StreamClient.run(Self.operations) { client, emulator in
      _ = try await emulator.mutate("Tell", ["text": "hers"], as: "ann").data()
      for round in 0..<20 {
        for user in ["ann", "bob"] {
          try client.say(["headers": ["X-Firebase-Auth-Token": .string(TestEmulator.token(user))]])
          try client.say("\(user)-\(round)", "execute", ["operationName": "Mine"])
        }
      }
      for round in 0..<20 {
        #expect(await client.answer(to: "ann-\(round)")["data"] == ["notes": [["text": "hers"]]])
        #expect(await client.answer(to: "bob-\(round)")["data"] == ["notes": []])
      }
    }
  }

  @Test func `is dropped when there is no room for the end of a request`() async throws {
    try await StreamClient.run(Self.operations) { client, _ in
      let words = "The client does not take what is sent fast enough."
      client.fill(true)
      try client.say("never", "resume")
      await StreamClient.until { client.count(words) == 1 }
      client.fill(false)
      try client.say("never", "resume")
      #expect(code(await client.answer(to: "never")) == "NOT_FOUND" && client.count(words) == 1)
      try client.say("1", "subscribe", one)
      #expect(await client.answer(to: "1")["data"] == ["movies": []])
      client.fill(true)
      try client.say("1", "resume")
      await StreamClient.until { client.count(words) == 2 }
      #expect(client.answers(to: "1").count == 1 && client.count(words) == 2)
    }
  }

  @Test func `hears of rows that an administrator writes`() async throws {
    try await StreamClient.run(Self.operations) { client, emulator in
      let made = try await emulator.mutate("Add", ["title": "A"]).data()
      let id = try #require(made["movie_insert"]?["id"])
      try client.say("1", "subscribe", ["operationName": "Get", "variables": ["id": id]])
      #expect(await client.answer(to: "1")["data"] == ["movie": ["title": "A"]])
      for (number, title) in ["B", "C"].enumerated() {
        _ = try await emulator.administer("mutation { movie_update(id: \(id), data: {title: \"\(title)\"}) }").data()
        #expect(await client.answer(to: "1", number + 2)["data"] == ["movie": ["title": .string(title)]])
      }
    }
  }

  @Test func `hears of a mutation where its name, its variables and its caller are those of the condition`()
    async throws
  {
    try await StreamClient.run(Self.operations) { client, emulator in
      try client.say("1", "subscribe", ["operationName": "Said", "variables": ["text": "yes"]])
      #expect(await client.answer(to: "1")["data"] == ["notes": []])
      _ = try await emulator.mutate("Tell", ["text": "no"], as: "ann").data()
      _ = try await emulator.mutate("Tell", ["text": "yes"], as: "bob").data()
      _ = try await emulator.mutate("Note", ["text": "yes"], as: "ann").data()
      _ = try await emulator.mutate("Tell", ["text": "yes"], as: "ann").data()
      let texts = await client.answer(to: "1", 2)["data"]?["notes"]?.arrayValue?.compactMap { $0["text"]?.stringValue }
      #expect(texts == ["no", "yes", "yes", "yes"] && client.answers(to: "1").count == 2)
    }
  }

  @Test func `is closed with a code that says why`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let cases: [(message: WebSocketMessage, code: UInt16)] = [
        (.text("{\"headers\": {\"x-firebase-auth-token\": \"a\"}}"), 4_401), (.text("[]"), 1_008),
        (.text("{\"resume\": {}}"), 1_008), (.binary(Array("{}".utf8)), 1_003),
      ]
      for (message, code) in cases {
        let stream = try await TestStream(emulator, client: .patient)
        switch message {
        case .text(let text): try await stream.socket.send(text: text)
        case .binary(let bytes): try await stream.socket.send(binary: bytes)
        default: Issue.record("This is not sent.")
        }
        while try await stream.next() != nil {}
        #expect(stream.socket.closing?.code == code, "\(message)")
      }
    }
  }
}
