import EventLoop
import JSON
import JSONRPC
import Synchronization
import Testing

/// Two ends that only stream, both running.
private func withStreams(
  _ configuration: Connection.Configuration = .init(),
  _ body: @Sendable (_ sender: Connection, _ receiver: Connection) async throws -> Void
) async throws {
  let loop = EventLoop.onThread(name: "test")
  defer { loop.stop() }
  let (left, right) = Connection.pair(on: loop, configuration: configuration)
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { _ = await left.run(handler: NoHandler()) }
    group.addTask { _ = await right.run(handler: NoHandler()) }
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body(left, right)) } catch { outcome = .failure(error) }
    await left.close(.finished)
    await right.close(.finished)
    try outcome.get()
  }
  await left.closeDescriptors()
  await right.closeDescriptors()
}

@Suite(.timeLimit(.minutes(1))) struct `A stream` {
  @Test func `carries bytes and values in order, and its end`() async throws {
    try await withStreams { sender, receiver in
      let stream = try sender.openStream()
      let reading = try receiver.incomingStream(stream.id)
      let sending = Task {
        try await stream.send(Array("Hello".utf8))
        try await stream.send(value: ["a": [1, .null]])
        try await stream.send(value: 7)
        stream.finish()
      }
      var chunks: [StreamChunk] = []
      for try await chunk in reading { chunks.append(chunk) }
      #expect(chunks == [.bytes(Array("Hello".utf8)), .value(["a": [1, .null]]), .value(7)])
      try await sending.value
    }
  }

  @Test func `may be claimed before it is opened`() async throws {
    try await withStreams { sender, receiver in
      let reading = try receiver.incomingStream("s1")
      let stream = try sender.openStream()
      #expect(stream.id == "s1")
      let sending = Task {
        try await stream.send([1, 2, 3])
        stream.finish()
      }
      #expect(try await reading.bytes(atMost: 10) == [1, 2, 3])
      try await sending.value
    }
  }

  @Test func `carries 16 MiB through a small credit without keeping it`() async throws {
    try await withStreams(.init(streamWindow: 64 << 10)) { sender, receiver in
      let stream = try sender.openStream()
      let reading = try receiver.incomingStream(stream.id)
      let sending = Task {
        let piece = [UInt8](repeating: 0x5A, count: 1 << 20)
        for _ in 0..<16 { try await stream.send(piece) }
        stream.finish()
      }
      var count = 0
      var most = 0
      for try await chunk in reading {
        guard case .bytes(let bytes) = chunk else { continue }
        count += bytes.count
        most = max(most, sender.outgoingBytes)
      }
      #expect(count == 16 << 20)
      // The credit as base64, and a little around it.
      #expect(most <= 100 << 10)
      try await sending.value
    }
  }

  @Test func `waits for a slow reader`() async throws {
    try await withStreams(.init(streamWindow: 1000)) { sender, receiver in
      let stream = try sender.openStream()
      let reading = try receiver.incomingStream(stream.id)
      let sent = Mutex(0)
      let sending = Task {
        for _ in 0..<10 {
          try await stream.send([UInt8](repeating: 1, count: 500))
          sent.withLock { $0 += 500 }
        }
        stream.finish()
      }
      await until { sent.withLock { $0 } == 1000 }
      var iterator = reading.makeAsyncIterator()
      var count = 0
      while let chunk = try await iterator.next() {
        guard case .bytes(let bytes) = chunk else { continue }
        count += bytes.count
        #expect(sent.withLock { $0 } <= count + 1000)
      }
      #expect(count == 5000)
      try await sending.value
    }
  }

  @Test func `that the sender breaks off ends with the sender's error, after what was sent`() async throws {
    try await withStreams { sender, receiver in
      let stream = try sender.openStream()
      let reading = try receiver.incomingStream(stream.id)
      try await stream.send([1])
      stream.finish(ErrorObject(code: 7, message: "Torn.", data: ["at": 1]))
      var iterator = reading.makeAsyncIterator()
      let first = try await iterator.next()
      #expect(first == .bytes([1]))
      await #expect(throws: ErrorObject(code: 7, message: "Torn.", data: ["at": 1])) { try await iterator.next() }
      await #expect(throws: ErrorObject.self) { try await stream.send([1]) }
    }
  }

  @Test func `that the reader drops stops the sender with the reader's error`() async throws {
    try await withStreams(.init(streamWindow: 100)) { sender, receiver in
      let stream = try sender.openStream()
      let reading = try receiver.incomingStream(stream.id)
      let sending = Task { try await stream.send([UInt8](repeating: 0, count: 1000)) }
      var iterator = reading.makeAsyncIterator()
      _ = try await iterator.next()
      reading.drop(ErrorObject(code: 9, message: "Enough."))
      let error = await #expect(throws: ErrorObject.self) { try await sending.value }
      #expect(error?.code == 9)
    }
  }

  @Test func `that is let go tells the other side`() async throws {
    try await withStreams(.init(streamWindow: 100)) { sender, receiver in
      let stream = try sender.openStream()
      _ = try receiver.incomingStream(stream.id)
      let dropped = await #expect(throws: ErrorObject.self) {
        try await stream.send([UInt8](repeating: 0, count: 1000))
      }
      #expect(dropped?.code == ErrorObject.streamUnknownCode)
      let reading = try receiver.incomingStream(try sender.openStream().id)
      let cancelled = await #expect(throws: ErrorObject.self) { try await reading.bytes(atMost: 10) }
      #expect(cancelled?.code == ErrorObject.cancelledCode)
    }
  }

  @Test func `ends in the middle when either task is cancelled`() async throws {
    try await withStreams(.init(streamWindow: 100)) { sender, receiver in
      let stream = try sender.openStream()
      let reading = try receiver.incomingStream(stream.id)
      let started = Mutex(false)
      let task = Task {
        for try await _ in reading { started.withLock { $0 = true } }
      }
      try await stream.send([1])
      await until { started.withLock { $0 } }
      task.cancel()
      let reader = await #expect(throws: ErrorObject.self) { try await task.value }
      #expect(reader?.code == ErrorObject.cancelledCode)
      let second = try sender.openStream()
      _ = try receiver.incomingStream(second.id).makeAsyncIterator()
      let blocked = Task { try await second.send([UInt8](repeating: 0, count: 1000)) }
      blocked.cancel()
      await #expect(throws: ErrorObject.self) { try await blocked.value }
    }
  }

  @Test func `does not wait for ever for a reader, nor for a sender`() async throws {
    try await withStreams(.init(streamStall: .milliseconds(40))) { sender, receiver in
      let stream = try sender.openStream()
      let unread = await #expect(throws: ErrorObject.self) { try await stream.send([1]) }
      #expect(unread?.code == ErrorObject.deadlineExceededCode)
      let reading = try receiver.incomingStream("s99")
      let unsent = await #expect(throws: ErrorObject.self) { try await reading.bytes(atMost: 10) }
      #expect(unsent?.code == ErrorObject.deadlineExceededCode)
    }
  }

  @Test func `ends at both sides when the connection does`() async throws {
    try await withStreams { sender, receiver in
      let stream = try sender.openStream()
      let reading = try receiver.incomingStream("s99")
      let blocked = Task { try await stream.send([1]) }
      let waiting = Task { try await reading.bytes(atMost: 10) }
      await sender.close(.cancelled)
      let sent = await #expect(throws: ErrorObject.self) { try await blocked.value }
      #expect(sent?.code == ErrorObject.peerExitedCode)
      await receiver.close(.cancelled)
      let read = await #expect(throws: ErrorObject.self) { try await waiting.value }
      #expect(read?.code == ErrorObject.peerExitedCode)
      #expect(throws: ErrorObject.self) { try sender.openStream() }
    }
  }

  @Test func `is read once, and not longer than the reader allows`() async throws {
    try await withStreams { sender, receiver in
      let stream = try sender.openStream()
      let reading = try receiver.incomingStream(stream.id)
      #expect(throws: ErrorObject.self) { try receiver.incomingStream(stream.id) }
      try await stream.send([UInt8](repeating: 0, count: 100))
      let error = await #expect(throws: ErrorObject.self) { try await reading.bytes(atMost: 99) }
      #expect(error?.code == ErrorObject.frameTooLargeCode)
      #expect(throws: ErrorObject.self) { try receiver.incomingStream(stream.id) }
    }
  }

  @Test func `is as long as its reader allows, and of bytes where bytes are expected`() async throws {
    try await withStreams { sender, receiver in
      for count in [99, 100] {
        let stream = try sender.openStream()
        let reading = try receiver.incomingStream(stream.id)
        let sending = Task {
          try await stream.send([UInt8](repeating: 7, count: 60))
          try await stream.send([UInt8](repeating: 7, count: count - 60))
          stream.finish()
        }
        #expect(try await reading.bytes(atMost: 100).count == count)
        try await sending.value
      }
      let stream = try sender.openStream()
      let reading = try receiver.incomingStream(stream.id)
      let sending = Task { try await stream.send(value: 5) }
      let error = await #expect(throws: ErrorObject.self) { try await reading.bytes(atMost: 100) }
      #expect(error == .protocolViolation("The stream \(stream.id) has values where bytes were expected."))
      try await sending.value
      // The sender is told why.
      let refusal = await #expect(throws: ErrorObject.self) {
        while true { try await stream.send([1]) }
      }
      #expect(refusal == error)
    }
  }

  @Test func `refuses a value over 64 KiB, and a 65th stream`() async throws {
    try await withStreams { sender, _ in
      var streams: [OutgoingStream] = []
      for _ in 0..<64 { streams.append(try sender.openStream()) }
      #expect(throws: ErrorObject.self) { try sender.openStream() }
      let value = JSONValue.string(String(repeating: "x", count: 70_000))
      let error = await #expect(throws: ErrorObject.self) { try await streams[0].send(value: value) }
      #expect(error?.code == ErrorObject.frameTooLargeCode)
      streams[0].finish()
      _ = try sender.openStream()
    }
  }
}
