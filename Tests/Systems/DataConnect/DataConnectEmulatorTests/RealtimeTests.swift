import HTTPClient
import JSON
import Synchronization
import TestSupport
import Testing
import WebSocket

@testable import DataConnectEmulator

@Suite(.timeLimit(.minutes(1)))
struct `A subscription at the emulator` {
  private static let operations = """
    mutation Add($title: String!) @auth(level: PUBLIC) { movie_insert(data: {title: $title}) }
    mutation Rename($id: UUID!, $title: String!) @auth(level: PUBLIC) { movie_update(id: $id, data: {title: $title}) }
    mutation RenameAll($title: String!) @auth(level: PUBLIC) { movie_updateMany(all: true, data: {title: $title}) }
    mutation Remove($id: UUID!) @auth(level: PUBLIC) { movie_delete(id: $id) }
    mutation Tell($text: String!) @auth(level: USER) { note_insert(data: {text: $text}) }
    query Get($id: UUID!) @auth(level: PUBLIC) { movie(id: $id) { title } }
    query Mine @auth(level: USER)
      @refresh(onMutationExecuted: {operation: "Tell", condition: "mutation.auth.uid == request.auth.uid"}) {
      notes(where: {author: {eq_expr: "auth.uid"}}, orderBy: {text: ASC}) { text }
    }
    query All @auth(level: PUBLIC) @refresh(onMutationExecuted: {operation: "Add"}) {
      movies(orderBy: {title: ASC}) { title }
    }
    """

  private func add(_ title: String, to emulator: TestEmulator) async throws -> JSONValue {
    let made = try await emulator.mutate("Add", ["title": .string(title)]).data()
    return try #require(made["movie_insert"]?["id"])
  }

  @Test func `to a row gets what is written to that row, and nothing else`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let id = try await add("A", to: emulator)
      let other = try await add("B", to: emulator)
      let stream = try await TestStream(emulator, client: .patient)
      try await stream.subscribe("1", "Get", ["id": id])
      let first = try await stream.next()
      #expect(first?["requestId"] == "1" && first?["data"] == ["movie": ["title": "A"]])
      #expect(first?["dataEtag"]?.stringValue?.isEmpty == false)
      _ = try await emulator.mutate("Rename", ["id": other, "title": "C"]).data()
      // As `updateMany` tells nobody, and the same again is no news, the next thing to arrive is the last title.
      _ = try await emulator.mutate("RenameAll", ["title": "A"]).data()
      _ = try await emulator.mutate("Rename", ["id": id, "title": "A"]).data()
      _ = try await emulator.mutate("Rename", ["id": id, "title": "D"]).data()
      #expect(try await stream.next()?["data"] == ["movie": ["title": "D"]])
      _ = try await emulator.mutate("Remove", ["id": id]).data()
      #expect(try await stream.next()?["data"] == ["movie": .null])
    }
  }

  @Test func `to a row that was written with another one gets that, too`() async throws {
    let operations = """
      mutation Write($movie: UUID!, $stars: Int!) @auth(level: USER) @transaction {
        movie_upsert(data: {id: $movie, title: "A", reviews_on_movie: [{stars: $stars}, {author: "bob", stars: 1}]})
      }
      mutation WriteMany($movie: UUID!, $stars: Int!) @auth(level: USER) {
        movie_upsertMany(data: [{title: "B"}, {id: $movie, title: "A", reviews_on_movie: {stars: $stars}}])
      }
      query Get($movie: UUID!) @auth(level: USER) {
        review(key: {movieId: $movie, author_expr: "auth.uid"}) { stars }
      }
      """
    try await TestEmulator.run(operations) { emulator in
      let movie: JSONValue = "0123456789abcdef0123456789abcdef"
      let stream = try await TestStream(emulator, client: .patient)
      try await stream.headers(TestEmulator.token("ann"))
      try await stream.subscribe("1", "Get", ["movie": movie])
      #expect(try await stream.next()?["data"] == ["review": .null])
      for (stars, name) in [(4, "Write"), (5, "Write"), (6, "WriteMany")] {
        let written = try await emulator.mutate(name, ["movie": movie, "stars": JSONValue(stars)], as: "ann")
        // The response tells of the row around it, as before.
        #expect(written["extensions"]?["dataConnect"]?.arrayValue?.count == 1)
        #expect(written["errors"] == nil)
        #expect(try await stream.next()?["data"] == ["review": ["stars": JSONValue(stars)]])
      }
    }
  }

  @Test func `is told of mutations that its query names, where the condition holds`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let stream = try await TestStream(emulator, client: .patient)
      try await stream.headers(TestEmulator.token("ann"))
      try await stream.subscribe("1", "Mine")
      #expect(try await stream.next()?["data"] == ["notes": []])
      try await stream.subscribe("2", "All")
      #expect(try await stream.next()?["data"] == ["movies": []])
      _ = try await emulator.mutate("Tell", ["text": "hers"], as: "bob").data()
      _ = try await emulator.mutate("Tell", ["text": "mine"], as: "ann").data()
      #expect(try await stream.next()?["data"] == ["notes": [["text": "mine"]]])
      _ = try await add("A", to: emulator)
      let frame = try await stream.next()
      #expect(frame?["requestId"] == "2" && frame?["data"] == ["movies": [["title": "A"]]])
    }
  }

  @Test func `can be resumed and cancelled, and shares its stream with calls`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let stream = try await TestStream(emulator, client: .patient)
      try await stream.subscribe("1", "All")
      let first = try await stream.next()
      try await stream.send("1", "resume", [:])
      #expect(try await stream.next() == first)
      try await stream.send("2", "execute", ["operationName": "Add", "variables": ["title": "A"]])
      let frames = [try await stream.next(), try await stream.next()]
      #expect(frames.contains { $0?["requestId"] == "2" && $0?["data"]?["movie_insert"]?["id"] != nil })
      #expect(frames.contains { $0?["requestId"] == "1" && $0?["data"] == ["movies": [["title": "A"]]] })
      try await stream.send("1", "cancel", [:])
      // Nothing more of it comes, not even an answer.
      _ = try await add("B", to: emulator)
      try await stream.send("3", "execute", ["operationName": "Missing"])
      let missing = try await stream.next()
      #expect(missing?["requestId"] == "3")
      #expect(missing?["errors"]?[0]?["extensions"]?["code"] == "NOT_FOUND")
    }
  }

  @Test func `is refused without a token, and ends with another user`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let stream = try await TestStream(emulator, client: .patient)
      try await stream.subscribe("1", "Mine")
      let refused = try await stream.next()
      #expect(refused?["cancelled"] == true)
      #expect(refused?["errors"]?[0]?["extensions"]?["code"] == "UNAUTHENTICATED")
      try await stream.headers(TestEmulator.token("ann"))
      try await stream.subscribe("2", "Mine")
      #expect(try await stream.next()?["data"] == ["notes": []])
      // The same user again is nothing to speak of.
      try await stream.headers(TestEmulator.token("ann", ["iat": 5]))
      #expect(try await stream.next()?["data"] == ["notes": []])
      try await stream.headers(TestEmulator.token("bob"))
      #expect(try await stream.next()?["cancelled"] == true)
      try await stream.headers("nonsense")
      #expect(try await stream.next()?["requestId"] == nil)
      #expect(try await stream.next() == nil)
    }
  }

  @Test func `shares its execution with equal ones, and is gone with its stream`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let id = try await add("A", to: emulator)
      var streams: [TestStream] = []
      for _ in 0..<20 {
        let stream = try await TestStream(emulator, client: .patient)
        try await stream.subscribe("1", "Get", ["id": id])
        #expect(try await stream.next()?["data"] == ["movie": ["title": "A"]])
        streams.append(stream)
      }
      #expect(emulator.emulator.liveQueries.count == 1)
      #expect(emulator.emulator.openStreams.load(ordering: .relaxed) == 20)
      _ = try await emulator.mutate("Rename", ["id": id, "title": "B"]).data()
      for stream in streams {
        #expect(try await stream.next()?["data"] == ["movie": ["title": "B"]])
        await stream.socket.close()
      }
      while emulator.emulator.liveQueries.count > 0 { await Task.yield() }
      while emulator.emulator.openStreams.load(ordering: .relaxed) != 0 { await Task.yield() }
    }
  }

  @Test func `is executed anew when another operation is deployed under its name`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      _ = try await add("A", to: emulator)
      let stream = try await TestStream(emulator, client: .patient)
      try await stream.subscribe("1", "All")
      #expect(try await stream.next()?["data"] == ["movies": [["title": "A"]]])
      try emulator.folder.write(
        "query All @auth(level: PUBLIC) { movies { title views } }", to: "movies/operations.gql")
      #expect(try await stream.next()?["data"] == ["movies": [["title": "A", "views": "0"]]])
      try emulator.folder.write("query Other @auth(level: PUBLIC) { movies { title } }", to: "movies/operations.gql")
      #expect(try await stream.next()?["cancelled"] == true)
    }
  }

  @Test func `shows each user what is that user's, though the query is the same`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      var streams: [TestStream] = []
      for user in ["ann", "bob"] {
        _ = try await emulator.mutate("Tell", ["text": .string("of \(user)")], as: user).data()
        let stream = try await TestStream(emulator, client: .patient)
        try await stream.headers(TestEmulator.token(user))
        try await stream.subscribe("1", "Mine")
        #expect(try await stream.next()?["data"] == ["notes": [["text": .string("of \(user)")]]])
        streams.append(stream)
      }
      #expect(emulator.emulator.liveQueries.count == 2)
      for stream in streams { await stream.socket.close() }
    }
  }

  @Test func `that takes nothing is dropped, and keeps nobody waiting`() async throws {
    try await TestEmulator.run(
      Self.operations, configure: { $0.streamLimits.closeLimit = .milliseconds(100) }
    ) { emulator in
      let (slow, quick) = (
        try await TestStream(emulator, client: .patient), try await TestStream(emulator, client: .patient)
      )
      for stream in [slow, quick] {
        try await stream.headers(TestEmulator.token("ann"))
        try await stream.subscribe("1", "Mine")
        _ = try await stream.next()
      }
      var text = String(repeating: "long", count: 50_000)
      // What it does not take fills its queue, and the system's buffers before that.
      while emulator.emulator.liveQueries.subscriberCount == 2 {
        text += "a"
        _ = try await emulator.mutate("Tell", ["text": .string(text)], as: "ann").data()
        #expect(try await quick.next()?["data"]?["notes"] != nil)
        _ = try await emulator.administer("mutation { note_deleteMany(all: true) }")
      }
      await slow.socket.close()
    }
  }

  @Test func `of hundreds of clients costs one execution`() async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let id = try await add("A", to: emulator)
      let client = HTTPClient.patient
      try await withThrowingTaskGroup(of: TestStream.self) { group in
        for _ in 0..<200 {
          group.addTask {
            let stream = try await TestStream(emulator, client: client)
            try await stream.subscribe("1", "Get", ["id": id])
            #expect(try await stream.next()?["data"] == ["movie": ["title": "A"]])
            return stream
          }
        }
        var streams: [TestStream] = []
        for try await stream in group { streams.append(stream) }
        #expect(emulator.emulator.liveQueries.count == 1 && emulator.emulator.liveQueries.subscriberCount == 200)
        _ = try await emulator.mutate("Rename", ["id": id, "title": "B"]).data()
        for stream in streams { #expect(try await stream.next()?["data"] == ["movie": ["title": "B"]]) }
      }
    }
  }
}
