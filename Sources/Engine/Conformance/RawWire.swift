import EventLoop
import ExtensionHosting
import Glibc
package import JSON
import JSONRPC

/// Exchanges bytes with a process as no well-behaved host would. It keeps every received message up to a limit, and can
/// stop reading. It refuses the extension's requests.
package actor RawWire {
  nonisolated let loop: EventLoop
  /// The executor of the event loop.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  let raw: RawExtension
  let framing: Framing
  private var decoder: FrameDecoder
  /// Every message that came, in order.
  package private(set) var messages: [JSONValue] = []
  /// The answers among them, by their ids: their places.
  private var answers: [JSONValue: [Int]] = [:]
  /// Counts the memory of received messages and of unsent bytes.
  private let ledger: PeerLedger
  private let account: LedgerHold
  /// A sentence about the first bytes that are not a message; `nil` without any.
  private(set) var noise: String?
  /// No more will come.
  private(set) var hasEnded = false
  /// The extension no longer reads.
  private(set) var isDeaf = false
  private var pending: ArraySlice<UInt8> = []
  private var reading: Watch?
  private var writing: Watch?
  private let arrivals: Waiters

  /// More than a host reads, so that a message over that limit is seen for what it is.
  private static let largestFrame = 5 << 20

  /// - Parameter ceiling: the most bytes to keep; beyond that the wire stops reading.
  init(_ raw: RawExtension, framing: Framing, loop: EventLoop, ceiling: Int = 32 << 20) {
    ledger = PeerLedger(ceiling: ceiling)
    account = LedgerHold(on: ledger)
    self.raw = raw
    self.framing = framing
    self.loop = loop
    arrivals = Waiters(on: loop)
    decoder = FrameDecoder(framing: framing, limit: Self.largestFrame)
  }

  /// Begins to read.
  func open() throws(WatchError) {
    reading = try loop.watch(raw.standardOutput, for: .reading) { [self] _ in assumeIsolated { $0.read() } }
  }

  /// Reads nothing until ``resume()``.
  func pause() throws(WatchError) { if let reading { try loop.update(reading, to: []) } }

  func resume() throws(WatchError) { if let reading { try loop.update(reading, to: .reading) } }

  /// Ends watching; the descriptors stay open.
  func close() {
    for watch in [reading, writing].compactMap(\.self) { loop.unwatch(watch) }
    reading = nil
    writing = nil
    hasEnded = true
    arrivals.wake()
  }

  /// Lets the extension see the end of its standard input, after what is still to be written.
  func endInput(within limit: Duration) async {
    _ = await wait(atMost: limit) { $0.pending.isEmpty || $0.isDeaf }
    if let writing { loop.unwatch(writing) }
    writing = nil
    isDeaf = true
    await raw.closeStandardInput()
  }

  // MARK: Sending

  /// Sends any bytes as one frame.
  func send(frame: [UInt8]) { send(bytes: framed(frame)) }

  func send(_ message: JSONValue) { send([message]) }

  /// Sends messages in one piece.
  func send(_ messages: [JSONValue]) {
    send(bytes: messages.flatMap { framed(Array(JSONCoding.text(of: $0).utf8)) })
  }

  private func framed(_ frame: [UInt8]) -> [UInt8] {
    switch framing {
    case .lines: frame + [0x0A]
    case .contentLength: Array("Content-Length: \(frame.count)\r\n\r\n".utf8) + frame
    }
  }

  private func send(bytes: [UInt8]) {
    guard !isDeaf else { return }
    pending += bytes
    keep(bytes.count)
    write()
  }

  private func write() {
    while !pending.isEmpty, !isDeaf {
      let count = pending.withUnsafeBytes { Glibc.write(raw.standardInput, $0.baseAddress, $0.count) }
      if count > 0 {
        pending = pending.dropFirst(count)
        account.set(account.held - count)
      } else if errno == EAGAIN {
        return follow()
      } else if errno != EINTR {
        isDeaf = true
      }
    }
    if isDeaf {
      account.set(account.held - pending.count)
      pending = []
    }
    if let writing { loop.unwatch(writing) }
    writing = nil
    arrivals.wake()
  }

  private func follow() {
    if writing != nil { return }
    writing = try? loop.watch(raw.standardInput, for: .writing) { [self] _ in assumeIsolated { $0.write() } }
    if writing == nil { isDeaf = true }
  }

  // MARK: Receiving

  private func read() {
    let space = decoder.prepare()
    let count = Glibc.read(raw.standardOutput, space.baseAddress, space.count)
    if count > 0 {
      decoder.received(count)
      take()
    } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
      if decoder.isPartial { note("It ended in the middle of a message.") }
      end()
    }
    arrivals.wake()
  }

  private func end() {
    hasEnded = true
    if let reading { loop.unwatch(reading) }
    reading = nil
  }

  private func take() {
    while true {
      do {
        switch try decoder.next() {
        case .incomplete: return
        case .noise(let piece): note("It wrote \(piece.count) bytes that are not a message: \(shown(piece.beginning))")
        case .frame(let range): take(Array(decoder.bytes(range)))
        }
      } catch {
        note("\(error)")
        return end()
      }
    }
  }

  private func take(_ frame: [UInt8]) {
    let message: JSONValue
    do {
      message = try JSONCoding.parse(frame)
    } catch {
      return note("It sent what is not JSON (\(error)): \(shown(String(decoding: frame.prefix(120), as: UTF8.self)))")
    }
    guard message["method"] != nil || message["id"] != nil || message["jsonrpc"] != nil else {
      return note("It sent JSON that is not a message: \(shown(JSONCoding.text(of: message)))")
    }
    messages.append(message)
    if message["method"] == nil, let id = message["id"] { answers[id, default: []].append(messages.count - 1) }
    keep(message.weight)
    guard !hasEnded, message["method"] != nil, let id = message["id"] else { return }
    let refusal: JSONValue = ["code": -32601, "message": "This host only looks at how you speak."]
    send(.object(["jsonrpc": "2.0", "id": id, "error": refusal]))
  }

  /// Nothing more is read of an extension that sends without end.
  private func keep(_ bytes: Int) {
    guard !account.add(bytes), !hasEnded, let excess = ledger.excess else { return }
    note("It sends without end: \(excess).")
    isDeaf = true
    end()
  }

  /// The answers to an id that have come.
  package func answers(to id: JSONValue) -> [JSONValue] { (answers[id] ?? []).map { messages[$0] } }

  private func note(_ sentence: String) { noise = noise ?? sentence }

  private func shown(_ text: String) -> String { JSONCoding.text(of: .string(String(text.prefix(80)))) }

  // MARK: Waiting

  /// Waits until a condition holds, which is asked whenever something came, or the extension's output has ended.
  ///
  /// - Returns: whether it holds.
  @discardableResult
  func wait(atMost limit: Duration, until condition: @Sendable (isolated RawWire) -> Bool) async -> Bool {
    await arrivals.wait(atMost: limit) { condition(self) || hasEnded }
    return condition(self)
  }
}
