import AppExtensions
import EventLoop
import ExtensionHosting
import ExtensionTesting
import HostServices
import JSON
import JSONRPC
import Testing

/// A peer that answers each call of the host with what a test gives, as often as it is asked.
private struct Answers: MessageHandler {
  typealias Answer = @Sendable (_ number: Int) -> JSONValue

  var answer: Answer
  /// Another answer to some calls.
  var others: [String: JSONValue] = [:]
  private let count = Kept<Int>()

  init(_ others: [String: JSONValue] = [:], answer: @escaping Answer) {
    self.others = others
    self.answer = answer
    count.keep(0)
  }

  func accept(
    _ message: borrowing IncomingMessage, on connection: Connection
  ) throws(ErrorObject) -> MessageWork? {
    guard message.id != nil else { return nil }
    if message.method == Initialize.method {
      return MessageWork { Reply.encoding(Initialize.Result(protocolVersion: "1.0")) }
    }
    if let other = others[message.method] { return MessageWork { Reply.encoding(other) } }
    let number = (count.value ?? 0) + 1
    count.keep(number)
    let result = answer(number)
    return MessageWork { Reply.encoding(result) }
  }
}

extension Connection {
  /// Calls again while this side's own queue is full, and leaves the loop, which is the host's too, time to read.
  fileprivate func insist(_ method: String, _ params: JSONValue) async {
    while await refusal(method, params)?.code == .queueFull, (try? await loop.sleep(for: .milliseconds(20))) != nil {}
  }
}

/// A peer that ends each request with much, and does not answer the call that it is made with.
private struct Completing: MessageHandler {
  private struct Update: Codable { var requestID: String }

  let text: String

  func accept(
    _ message: borrowing IncomingMessage, on connection: Connection
  ) throws(ErrorObject) -> MessageWork? {
    guard message.id != nil else { return nil }
    if message.method == Initialize.method {
      return MessageWork { Reply.encoding(Initialize.Result(protocolVersion: "1.0")) }
    }
    let requestID = try message.params.decode(Update.self).requestID
    return MessageWork {
      let items: JSONValue = [["attributedTitle": .string(text), "attachments": []]]
      await connection.insist(
        "context/completeRequest", ["requestID": .string(requestID), "returningItems": items])
      await waitForever()
      throw CancellationError()
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `What the host keeps in memory for an extension` {
  private static let ceiling = ExtensionHost.Configuration.leastHeldMemory

  @Test func `is that of every part of an error`() {
    let error = ExtensionError(
      .invalidParams, "é", recovery: "abc", details: ["k": 7, "long": "xy"], cause: ["1", "ä"])
    let members =
      (JSONValue.bytesOfValue + 1 + JSONValue.bytesOfValue) + (JSONValue.bytesOfValue + 4 + JSONValue.bytesOfValue + 2)
    #expect(error.weight == 2 + 3 + members + 1 + 2)
  }
  private static let megabyte = String(repeating: "x", count: 1 << 20)

  private static func stage(_ services: [any HostService]) -> Stage {
    var stage = Stage(services: services)
    stage.heldMemory = ceiling
    // The peer makes its messages on the loop that the host reads on.
    stage.deadlines.message = .seconds(240)
    return stage
  }

  /// The figure and the ceiling that an error names.
  private static func check(_ error: ExtensionError?) throws {
    let error = try #require(error)
    #expect(error.code == .peerExited, "\(error)")
    #expect(error.details["reason"] == "hostMemory")
    #expect(error.details["ceiling"] == .integer(Int64(ceiling)))
    let figure = try #require(error.details["figure"]?.integerValue)
    #expect((ceiling...ceiling * 2).contains(Int(figure)))
    #expect(error.message.contains("of it, and 16 MiB are allowed"), "\(error)")
    #expect(error.recovery?.contains("heldMemory") == true)
  }

  @Test func `is bounded for the pages of a picker, however many there are`() async throws {
    let requests = RequestService()
    let documents = FileProviderService(state: StateDirectory(path: "/nonexistent")) { _ in nil }
    let pickers = DocumentPickerService(requests: requests, documents: documents, type: { $0 }, conforms: { $0 == $1 })
    let peer = Answers(["picker/prepare": [:]]) { number in
      let entry: JSONValue = [
        "identifier": "e", "name": .string(Self.megabyte), "type": "public.data", "local": true, "enabled": true,
      ]
      return ["entries": [entry, entry], "next": .string("\(number)")]
    }
    let stage = Self.stage([requests, documents, pickers])
    let error = await #expect(throws: ExtensionError.self) {
      try await stage.withPeer(peer, identity: .testing(point: .documentPicker)) { process in
        try await process.presentPicker(PickerTerms(.import), service: pickers) { _ = try await $0.entries() }
      }
    }
    try Self.check(error)
  }

  @Test func `is given back when a folder has been listed`() async throws {
    let requests = RequestService()
    let documents = FileProviderService(state: StateDirectory(path: "/nonexistent")) { _ in nil }
    let pickers = DocumentPickerService(requests: requests, documents: documents, type: { $0 }, conforms: { $0 == $1 })
    let peer = Answers(["picker/prepare": [:]]) { number in
      let entry: JSONValue = [
        "identifier": "e", "name": .string(Self.megabyte), "type": "public.data", "local": true, "enabled": true,
      ]
      return ["entries": [entry, entry], "next": number % 3 == 0 ? .null : .string("\(number)")]
    }
    try await Self.stage([requests, documents, pickers])
      .withPeer(peer, identity: .testing(point: .documentPicker)) { process in
        try await process.presentPicker(PickerTerms(.import), service: pickers) { picker in
          for _ in 0..<10 {
            let entries = try await picker.entries()
            #expect(entries.count == 6)
          }
        }
        #expect(process.connection.ledger.held < 1 << 20)
        #expect(process.connection.ledger.most > 6 << 20)
      }
  }

  @Test func `is bounded for requests that are served`() async throws {
    let weather = WeatherService { _ in
      await waitForever()
      throw CancellationError()
    }
    let peer = PeerProbe(work: { connection in
      let params: JSONValue = ["place": .string(Self.megabyte)]
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<32 { group.addTask { await connection.insist("weather/current", params) } }
      }
    })
    let error = await #expect(throws: ExtensionError.self) {
      try await Self.stage([weather]).withPeer(peer, identity: .testing(entitlements: ["weather"])) {
        _ = try await $0.call(Ping(), deadline: .seconds(240))
      }
    }
    try Self.check(error)
  }

  @Test func `is bounded for what requests end with`() async throws {
    let requests = RequestService()
    let error = await #expect(throws: ExtensionError.self) {
      try await Self.stage([requests]).withPeer(Completing(text: Self.megabyte)) { process in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<32 {
            group.addTask { _ = try await process.performUpdate(requests: requests, deadline: .seconds(240)) }
          }
          try await group.waitForAll()
        }
      }
    }
    #expect(error?.details["reason"] == "hostMemory", "\(error as Any)")
  }

  @Test func `is bounded for observers of the group store`() async throws {
    let defaults = DefaultsService(store: .inMemory())
    let peer = PeerProbe(work: { connection in
      func observe(_ prefix: String) async -> ExtensionError.Code? {
        await connection.refusal("defaults/observe", ["suite": "group.com.example.test", "prefix": .string(prefix)])?
          .code
      }
      #expect(await observe(Self.megabyte) == .invalidParams)
      for number in 100..<164 { #expect(await observe("\(number)") == nil) }
      #expect(await observe("another") == .limitExceeded)
      // What is told already needs no place.
      #expect(await observe("100.more") == nil)
    })
    try await Self.stage([defaults]).withPeer(peer) { process in
      _ = try await process.call(Ping(), deadline: .seconds(240))
      #expect(process.connection.ledger.excess == nil)
    }
  }

  @Test func `takes no more of an attachment than it is asked to, in whatever form it comes`() async throws {
    let answer: JSONValue = ["kind": "text", "typeIdentifier": "public.plain-text", "value": .string(Self.megabyte)]
    try await Self.stage([]).withPeer(Answers { _ in answer }, identity: .testing(point: .share)) { process in
      let late = ItemProvider(itemID: "a", registeredTypeIdentifiers: ["public.plain-text"])
      let bytes = try await process.bytes(of: late, requestID: "r", limit: 1 << 20)
      #expect(bytes.count == 1 << 20)
      let error = await #expect(throws: ExtensionError.self) {
        try await process.bytes(of: late, requestID: "r", limit: (1 << 20) - 1)
      }
      #expect(error?.code == .limitExceeded)
    }
  }

  @Test func `names figure and ceiling for an end that nobody waited for`() async throws {
    let error = await #expect(throws: ExtensionError.self) {
      try await Self.stage([]).withPeer(PeerProbe()) { process in
        let hold = process.hold()
        #expect(throws: ExtensionError.self) { try hold.keep(bytes: Self.ceiling + 1) }
        // It hears nothing more, and is gone soon.
        while process.connection.closeReason == nil { await Task.yield() }
        _ = try await process.call(Ping())
      }
    }
    try Self.check(error)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A log line that comes as a request` {
  @Test func `is refused, and not logged`() async throws {
    let log = KeptLog()
    let peer = PeerProbe(work: { connection in
      let params: JSONValue = ["level": "warning", "message": "flood"]
      #expect(await connection.refusal(Log.method, params)?.code.number == ErrorObject.invalidRequestCode)
      #expect(await connection.refusal("$/progress", [:])?.code.number == ErrorObject.invalidRequestCode)
    })
    try await Stage(log: log).withPeer(peer) { _ = try await $0.call(Ping()) }
    #expect(!log.lines.contains { $0.message == "flood" })
  }

  @Test func `comes no more often than can be read`() async throws {
    let log = KeptLog()
    let peer = PeerProbe(work: { connection in
      for _ in 0..<900 { try await connection.notify(Log.method, Log(level: .warning, message: "flood")) }
    })
    try await Stage(log: log).withPeer(peer) { _ = try await $0.call(Ping()) }
    #expect(log.lines.count { $0.message == "flood" } <= 100)
    #expect(log.lines.contains { $0.level == .warning && $0.message.hasSuffix("lines left out") })
  }

  @Test func `of the host about refused ends of requests is counted like the extension's own`() async throws {
    let log = KeptLog()
    let host = TestHost(services: [RequestService()], log: log)
    try await host.inWidget { context in
      for _ in 0..<900 { _ = try? await context.call(Request.Cancel(requestID: "none", error: .userCancelled)) }
    }
    #expect(log.lines.count { $0.message.hasSuffix("left out") } <= 3)
  }
}
