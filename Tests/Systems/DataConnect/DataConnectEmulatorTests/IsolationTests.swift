import EventLoop
import HTTPClient
import JSON
import TestSupport
import Testing
import WebSocket

@testable import DataConnectEmulator

/// What one user must not learn of another's.
@Suite(.timeLimit(.minutes(1)))
struct `A user of the emulator` {
  /// All ask for the notes of who asks, each in its own way.
  private static let own = [
    "notes(where: {author: {eq_expr: \"auth.uid\"}}) { text }",
    "notes(where: {author: {eq_expr: \"request.auth.uid\"}}) { text }",
    "notes(where: {author: {eq_expr: \"request['auth'].uid\"}}) { text }",
    "notes(where: {author: {eq_expr: \"request['\\\\u0061uth']['uid']\"}}) { text }",
    "notes(where: {author: {eq_expr: \"['auth'].map(k, request[k].uid)[0]\"}}) { text }",
    "notes(where: {author: {eq_expr: \"true // it's\\n ? auth.uid : ''\"}}) { text }",
    "notes(where: {_or: [{author: {eq_expr: \"[auth.uid][0]\"}}]}) { text }",
    "notes(where: {_not: {author: {ne_expr: \"auth.uid\"}}}) { text }",
    "note(first: {where: {author: {eq_expr: \"auth.uid\"}}}) { text }",
    "_select(sql: \"SELECT text FROM note WHERE author = $1\", params: [{_expr: \"auth.uid\"}])",
    "people(limit: 1) { name } notes(where: {author: {eq_expr: \"auth.uid\"}}) { text }",
  ]

  private static let operations =
    """
    mutation Tell($text: String!) @auth(level: USER) { note_insert(data: {text: $text}) }
    mutation Take($id: UUID!) @auth(level: USER) @transaction {
      query { note(id: $id) @check(expr: "this != null && this.author == auth.uid", message: "not yours") { author } }
      note_update(id: $id, data: {text: "taken"})
    }
    mutation TakeOwn($id: UUID!) @auth(level: USER) {
      note_updateMany(where: {id: {eq: $id}, author: {eq_expr: "auth.uid"}}, data: {text: "taken"})
    }
    mutation Add($title: String!) @auth(level: PUBLIC) { movie_insert(data: {title: $title}) }
    query Admin @auth(expr: "auth.token.admin == true") { notes { text } }
    query Shown($id: UUID!) @auth(level: PUBLIC) {
      note(id: $id) { author @redact @check(expr: "this == auth.uid", message: "not yours") text }
    }
    query Verified @auth(level: USER_EMAIL_VERIFIED) @refresh(onMutationExecuted: {operation: "Add"}) {
      movies { title }
    }
    query Everybody @auth(level: PUBLIC) @refresh(onMutationExecuted: {operation: "Add"}) { movies { title } }
    query Count
    @auth(level: USER)
    @refresh(onMutationExecuted: {operation: "Tell", condition: "mutation.auth.uid == request.auth.uid"}) {
      notes { _count }
    }
    """
    + own.enumerated().map { "\nquery Own\($0.offset) @auth(level: USER) { \($0.element) }" }.joined()

  private static let users = ["ann", "bob", "' OR author = 'ann"]

  /// Runs the body with a note of each user, by the user.
  private func run(_ body: (TestEmulator, [String: JSONValue]) async throws -> Void) async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      var notes: [String: JSONValue] = [:]
      for user in Self.users {
        let made = try await emulator.mutate("Tell", ["text": .string("of \(user)")], as: user).data()
        notes[user] = try #require(made["note_insert"]?["id"])
      }
      try await body(emulator, notes)
    }
  }

  private func stream(_ user: String?, _ claims: JSONObject = [:], to emulator: TestEmulator) async throws -> TestStream
  {
    let stream = try await TestStream(emulator, client: .patient)
    if let user { try await stream.headers(TestEmulator.token(user, claims)) }
    return stream
  }

  @Test func `gets what is that user's, however the query asks for it, and over one stream with others`() async throws {
    try await run { emulator, _ in
      var streams: [String: TestStream] = [:]
      for user in Self.users { streams[user] = try await stream(user, to: emulator) }
      for (index, query) in Self.own.enumerated() {
        for user in Self.users {
          let answer = try await emulator.query("Own\(index)", as: user).data()
          let texts = "\(answer)"
          for other in Self.users {
            #expect(texts.contains("\"of \(other)\"") == (other == user), "\(query): \(user) gets \(texts)")
          }
          let stream = try #require(streams[user])
          try await stream.subscribe("\(index)", "Own\(index)")
          let frame = try #require(try await stream.next())
          #expect(frame["requestId"] == .string("\(index)") && frame["data"] == answer, "\(query): \(user)")
        }
        #expect(try await emulator.call("executeQuery", "Own\(index)").status == 401)
      }
      for stream in streams.values { await stream.socket.close() }
    }
  }

  @Test func `changes nothing of others`() async throws {
    try await run { emulator, notes in
      for user in Self.users {
        for (owner, id) in notes {
          let taken = try await emulator.mutate("Take", ["id": id], as: user)
          #expect((taken["errors"] == nil) == (owner == user), "\(taken)")
          let own = try await emulator.mutate("TakeOwn", ["id": id], as: user).data()
          #expect(own["note_updateMany"] == (owner == user ? 1 : 0))
          let shown = try await emulator.query("Shown", ["id": id], as: user)
          #expect(shown["data"]?["note"] == (owner == user ? ["text": "taken"] : .null), "\(shown)")
        }
      }
      // Who signs in as nobody has no name, which is that of nobody else either.
      for id in notes.values {
        #expect(try await emulator.query("Shown", ["id": id])["data"]?["note"] == .null)
        #expect(try await emulator.call("executeMutation", "Take", ["id": id]).status == 401)
      }
    }
  }

  @Test func `is who the claims say at the time, also of a stream whose token changes`() async throws {
    try await run { emulator, _ in
      #expect(try await emulator.call("executeQuery", "Admin", as: "ann").status == 403)
      let admin = TestEmulator.token("ann", ["admin": true])
      #expect(try await emulator.query("Admin", as: admin).data()["notes"]?.arrayValue?.count == 3)
      for claim in ["true", 1, "yes", ["true"], .null] as [JSONValue] {
        let token = TestEmulator.token("ann", ["admin": claim])
        #expect(try await emulator.call("executeQuery", "Admin", as: token).status == 403)
      }
      let stream = try await stream("ann", ["admin": true, "email_verified": true], to: emulator)
      for (request, operation) in [("1", "Admin"), ("2", "Verified"), ("3", "Own0")] {
        try await stream.subscribe(request, operation)
        #expect(try await stream.next()?["requestId"] == .string(request))
      }
      // The same user with fewer rights keeps what needs none of them.
      try await stream.headers(TestEmulator.token("ann"))
      var ended: Set<String> = []
      for _ in 0..<3 {
        let frame = try #require(try await stream.next())
        let request = frame["requestId"]?.stringValue ?? ""
        if frame["cancelled"] == true { ended.insert(request) }
        #expect(frame["cancelled"] == true || request == "3", "\(frame)")
      }
      #expect(ended == ["1", "2"])
      _ = try await emulator.mutate("Add", ["title": "A"]).data()
      // Another user gets nothing of it, and may use the same names.
      try await stream.headers(TestEmulator.token("bob"))
      let end = try await stream.next()
      #expect(end?["requestId"] == "3" && end?["cancelled"] == true)
      try await stream.subscribe("3", "Own0")
      #expect(try await stream.next()?["data"] == ["notes": [["text": "of bob"]]])
      await stream.socket.close()
    }
  }

  @Test func `hears of what concerns that user, though the result is the same for all`() async throws {
    try await run { emulator, _ in
      let (ann, bob) = (try await stream("ann", to: emulator), try await stream("bob", to: emulator))
      for stream in [ann, bob] {
        try await stream.subscribe("1", "Count")
        #expect(try await stream.next()?["data"] == ["notes": [["_count": 3]]])
      }
      _ = try await emulator.mutate("Tell", ["text": "more"], as: "bob").data()
      #expect(try await bob.next()?["data"] == ["notes": [["_count": 4]]])
      _ = try await emulator.mutate("Tell", ["text": "more"], as: "ann").data()
      #expect(try await ann.next()?["data"] == ["notes": [["_count": 5]]])
      for stream in [ann, bob] { await stream.socket.close() }
    }
  }

  @Test func `who listened with others goes on alone, when they may no more`() async throws {
    for isFirst in [true, false] {
      try await run { emulator, _ in
        let (nobody, ann) = (try await stream(nil, to: emulator), try await stream("ann", to: emulator))
        // The query of both is executed once, for the one who was there first.
        for stream in isFirst ? [nobody, ann] : [ann, nobody] {
          try await stream.subscribe("1", "Everybody")
          #expect(try await stream.next()?["data"] == ["movies": []])
        }
        #expect(emulator.emulator.liveQueries.count == 1)
        try emulator.folder.write(
          Self.operations.replacing("query Everybody @auth(level: PUBLIC)", with: "query Everybody @auth(level: USER)"),
          to: "movies/operations.gql")
        var status = 200
        while status == 200 { status = try await emulator.call("executeQuery", "Everybody").status }
        #expect(status == 401)
        _ = try await emulator.mutate("Add", ["title": "A"]).data()
        let refused = try await nobody.next()
        #expect(
          refused?["cancelled"] == true && refused?["data"] == .null, "\(isFirst): \(String(describing: refused))")
        // Where it was executed for nobody before, the last result may come once more.
        var frame = try await ann.next()
        if frame?["data"] == ["movies": []] { frame = try await ann.next() }
        #expect(frame?["data"] == ["movies": [["title": "A"]]], "\(isFirst): \(String(describing: frame))")
        for stream in [nobody, ann] { await stream.socket.close() }
      }
    }
  }

  @Test func `sends no expressions`() async throws {
    let fields = [
      "notes(where: {author: {eq_expr: $text}}) { text }", "note(first: {where: {author: {eq_expr: $text}}}) { text }",
      "_select(sql: $text)", "_select(sql: \"SELECT $1\", params: [{_expr: $text}])",
    ]
    for field in fields {
      for type in ["String!", "String_Expr!", "Any"] {
        try await TestEmulator.run(
          "query Good @auth(level: PUBLIC) { movies { title } }", configure: { $0.watches = false }
        ) { emulator in
          try emulator.folder.write(
            "query Q($text: \(type)) @auth(level: PUBLIC) { \(field) }", to: "movies/operations.gql")
          let report = await emulator.emulator.deployer.deploy()
          if !report.isDeployed { return }
          let answer = try await emulator.query("Q", ["text": "'ann'"])
          let isRefused = answer["errors"] != nil
          #expect(isRefused || "\(answer)".contains("'ann'"), "\(field) \(type) \(answer)")
        }
      }
    }
  }
}
