import ConfigurationFiles
import DataConnectClient
import EventLoop
import JSON
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A subscription of Data Connect` {
  let movie = DataOperation("getMovie", kind: .query, variables: ["id": "1"])
  let list = DataOperation("listMovies", kind: .query)
  let use = CacheSettings(storage: .memory, maxAge: .seconds(100))
  let stub = FakeStream()

  @Test func `The answers of the server come as they are, and dropping the stream cancels`() async throws {
    try await stub.run { client in
      let socket: FakeSocket
      do {
        let answers = client.subscribe(movie, as: "ann")
        socket = await stub.socket()
        let frame = await socket.frame()
        #expect(frame["name"] == "projects/demo/locations/us-east4/services/s/connectors/movies")
        #expect(frame["headers"]?["X-Firebase-Auth-Token"] == "token-of-ann")
        #expect(frame["subscribe"] == ["operationName": "getMovie", "variables": ["id": "1"]])
        for number in 1...3 {
          socket.answer(frame["requestId"], ["n": JSONValue(number)])
          try await #expect(answers.next() == DataResponse(data: ["n": JSONValue(number)], source: .server))
        }
      }
      await #expect(socket.frame() == ["requestId": "1", "cancel": [:]])
    }
  }

  @Test func `A hundred who follow share one connection, and equal ones a subscription`() async throws {
    try await stub.run { client in
      let queries = (0..<100).map { DataOperation("q", kind: .query, variables: ["n": JSONValue($0)]) }
      let streams = (queries + queries).map { client.subscribe($0) }
      let socket = await stub.socket()
      for _ in queries {
        let frame = await socket.frame()
        socket.answer(frame["requestId"], frame["subscribe"]?["variables"] ?? .null)
      }
      for (number, stream) in streams.enumerated() {
        try await #expect(stream.next()?.data == ["n": JSONValue(number % 100)])
      }
      #expect(stub.attempts == 1)
    }
  }

  @Test func `While something is followed, operations go over the stream`() async throws {
    try await stub.run { client in
      let answers = client.subscribe(movie)
      let socket = await stub.socket()
      let first = await socket.frame()["requestId"]
      async let other = client.execute(list, at: .test(port: 1))
      let frame = await socket.frame()
      #expect(frame["execute"] == ["operationName": "listMovies", "variables": [:]])
      socket.answer(frame["requestId"], ["movies": []])
      try await #expect(other == DataResponse(data: ["movies": []], source: .server))
      // What is followed is asked for on its own request.
      async let same = client.execute(movie, at: .test(port: 1))
      await #expect(socket.frame() == ["requestId": first ?? .null, "resume": [:]])
      socket.answer(first, ["n": 2])
      try await #expect(same.data == ["n": 2])
      try await #expect(answers.next()?.data == ["n": 2])
    }
  }

  @Test func `A slow reader gets the newest answer alone`() async throws {
    try await stub.run { client in
      let answers = client.subscribe(movie)
      let socket = await stub.socket()
      let request = await socket.frame()["requestId"]
      for number in 0..<1_000 { socket.answer(request, ["n": JSONValue(number)]) }
      async let last = client.execute(list, at: .test(port: 1))
      socket.answer(await socket.frame()["requestId"], [:])
      _ = try await last
      try await #expect(answers.next()?.data == ["n": 999])
    }
  }

  @Test func `After a loss the subscription is made again, and a mutation that waits fails`() async throws {
    try await stub.run { client in
      let answers = client.subscribe(movie)
      let socket = await stub.socket()
      let request = await socket.frame()["requestId"]
      socket.answer(request, ["n": 1])
      try await #expect(answers.next()?.data == ["n": 1])
      async let mutation = failure {
        try await client.execute(DataOperation("create", kind: .mutation), at: .test(port: 1))
      }
      #expect(await socket.frame()["execute"] != nil)
      socket.close()
      let failure = try await mutation
      #expect(failure.message.hasPrefix("Stream terminated") && failure.code == .unavailable)
      let next = await stub.socket()
      let frame = await next.frame()
      #expect(frame["requestId"] == request && frame["subscribe"] != nil && frame["name"] != nil)
      next.answer(request, ["n": 2])
      try await #expect(answers.next()?.data == ["n": 2])
    }
  }

  @Test(arguments: ["no JSON", "{\"result\":{\"data\":{}}}", "{\"result\":[]}"])
  func `A server that breaks the rules is left, and asked anew`(_ text: String) async throws {
    try await stub.run { client in
      let answers = client.subscribe(movie)
      let socket = await stub.socket()
      _ = await socket.frame()
      socket.say(text)
      let next = await stub.socket()
      next.answer(await next.frame()["requestId"], ["n": 1])
      try await #expect(answers.next()?.data == ["n": 1])
    }
  }

  @Test func `A server that is gone from the beginning is unavailable after some attempts`() async throws {
    let gone = StreamRefusal(DataConnectFailure(.unavailable, "gone", recovery: "wait"), isFinal: false)
    stub.refuse(gone, gone, gone, gone)
    try await stub.run { client in
      let failure = try await failure { try await client.subscribe(movie).next()! }
      #expect(failure == gone.failure)
      #expect(stub.attempts == 3)
    }
  }

  @Test func `Another user ends the subscriptions of the one before, at the latest when the token is looked at`()
    async throws
  {
    try await stub.run { client in
      let user = Mutex("ann")
      let answers = client.subscribe(movie, at: .test(port: 1), user: "ann") { _ in
        let user = user.withLock { $0 }
        return IDToken(text: Secret("token-of-\(user)"), user: user)
      }
      let socket = await stub.socket()
      socket.answer(await socket.frame()["requestId"], ["n": 1])
      try await #expect(answers.next()?.data == ["n": 1])
      user.withLock { $0 = "bob" }
      stub.passHalfMinute()
      try await #expect(failure { try await answers.next()! }.code == .unauthenticated)
    }
  }

  @Test func `The token is that of somebody who is there`() async throws {
    try await stub.run { client in
      let asked = Signal()
      let stays = client.subscribe(movie, at: .test(port: 1), user: "ann") { _ in
        asked.send()
        return IDToken(text: Secret("token"), user: "ann")
      }
      let socket = await stub.socket()
      let first = await socket.frame()["requestId"]
      do {
        let leaves = client.subscribe(list, at: .test(port: 1), user: "ann") { _ in nil }
        socket.answer(await socket.frame()["requestId"], ["n": 1])
        _ = try await leaves.next()
      }
      #expect(await socket.frame()["cancel"] != nil)
      let count = asked.count
      stub.passHalfMinute()
      try await asked.wait(past: count)
      socket.answer(first, ["n": 2])
      try await #expect(stays.next()?.data == ["n": 2])
    }
  }

  @Test func `A token of another user opens no connection`() async throws {
    try await stub.run { client in
      let stream = client.subscribe(movie, at: .test(port: 1), user: "ann") { _ in
        IDToken(text: Secret("t"), user: "bob")
      }
      let failure = try await failure { try await stream.next()! }
      #expect(failure.code == .unauthenticated)
      #expect(stub.attempts == 0)
    }
  }

  @Test func `A token that is refused is renewed, and the subscription asked for again`() async throws {
    try await stub.run { client in
      let asked = Mutex<[Bool]>([])
      let answers = client.subscribe(movie, at: .test(port: 1), user: "ann") { force in
        asked.withLock { $0.append(force) }
        return IDToken(text: Secret(force ? "new" : "old"), user: "ann")
      }
      let socket = await stub.socket()
      #expect(await socket.frame()["headers"]?["X-Firebase-Auth-Token"] == "old")
      socket.say(
        #"{"result":{"requestId":"1","errors":[{"message":"old","extensions":{"code":"UNAUTHENTICATED"}}]}}"#)
      await #expect(socket.frame() == ["headers": ["X-Firebase-Auth-Token": "new"]])
      #expect(await socket.frame()["subscribe"] != nil)
      socket.answer("1", ["n": 1])
      try await #expect(answers.next()?.data == ["n": 1])
      #expect(asked.withLock { $0 } == [false, true])
    }
  }

  @Test func `A token that cannot be had for a while ends nothing`() async throws {
    struct Offline: Error {}
    try await stub.run { client in
      let isOffline = Mutex(false)
      let asked = Signal()
      let answers = client.subscribe(movie, at: .test(port: 1), user: "ann") { _ in
        defer { asked.send() }
        if isOffline.withLock({ $0 }) { throw Offline() }
        return IDToken(text: Secret("token"), user: "ann")
      }
      let socket = await stub.socket()
      let request = await socket.frame()["requestId"]
      isOffline.withLock { $0 = true }
      for number in 1...3 {
        let count = asked.count
        stub.passHalfMinute()
        try await asked.wait(past: count)
        socket.answer(request, ["n": JSONValue(number)])
        try await #expect(answers.next()?.data == ["n": JSONValue(number)])
      }
      #expect(stub.attempts == 1)
    }
  }

  @Test func `Mutations cannot be followed, and a client that is closed follows nothing`() async throws {
    try await stub.run { client in
      let mutation = client.subscribe(DataOperation("create", kind: .mutation))
      try await #expect(failure { try await mutation.next()! }.code == .invalidArgument)
      let stream = client.subscribe(movie)
      _ = await stub.socket()
      await client.close()
      try await #expect(failure { try await stream.next()! }.code == .cancelled)
      try await #expect(failure { try await client.subscribe(movie).next()! }.code == .cancelled)
    }
  }

  @Test func `What is kept comes first, then what another operation changes of it`() async throws {
    try await stub.run { client in
      let hint: JSONValue = [["path": ["movie"], "entityId": "e1"]]
      let listHint: JSONValue = [["path": ["movies"], "entityIds": ["e1"]]]
      let first = client.subscribe(movie, cache: use)
      let socket = await stub.socket()
      let request = await socket.frame()["requestId"]
      socket.answer(request, ["movie": ["id": "1", "title": "A"]], hints: hint)
      try await #expect(first.next()?.source == .server)

      async let other = client.execute(list, at: .test(port: 1), policy: .serverOnly, cache: use)
      socket.answer(await socket.frame()["requestId"], ["movies": [["id": "1", "title": "B"]]], hints: listHint)
      _ = try await other
      let changed = DataResponse(data: ["movie": ["id": "1", "title": "B"]], source: .cache)
      try await #expect(first.next() == changed)

      let follower = client.subscribe(list, cache: use)
      try await #expect(follower.next() == DataResponse(data: ["movies": [["id": "1", "title": "B"]]], source: .cache))
      // The server's news of one are news of the other.
      socket.answer(request, ["movie": ["id": "1", "title": "C"]], hints: hint)
      try await #expect(first.next() == DataResponse(data: ["movie": ["id": "1", "title": "C"]], source: .server))
      try await #expect(follower.next() == DataResponse(data: ["movies": [["id": "1", "title": "C"]]], source: .cache))
    }
  }

  @Test func `Who comes later gets what is kept, or the last answer where it is not`() async throws {
    try await stub.run { client in
      let first = client.subscribe(movie, cache: use)
      let socket = await stub.socket()
      let request = await socket.frame()["requestId"]
      socket.answer(request, ["n": 1])
      try await #expect(first.next()?.data == ["n": 1])
      try await #expect(client.subscribe(movie, cache: use).next() == DataResponse(data: ["n": 1], source: .cache))
      try await #expect(client.subscribe(movie).next() == DataResponse(data: ["n": 1], source: .server))
      // With errors it is not kept.
      socket.say(#"{"result":{"requestId":"1","data":{"n":null},"errors":[{"message":"no","path":["n"]}]}}"#)
      try await #expect(first.next()?.errors.count == 1)
      let other = CacheSettings(storage: .persistent)
      try await #expect(client.subscribe(movie, cache: other).next()?.errors.count == 1)
    }
  }
}
