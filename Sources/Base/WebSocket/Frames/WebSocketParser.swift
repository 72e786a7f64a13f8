/// Reads the frames of one direction of a connection from bytes that come in pieces of any size, and puts messages
/// together (RFC 6455, 5). Pure.
///
/// It keeps no more than what has come: a length that a frame claims is compared with the limits and reserves nothing.
package struct WebSocketParser: Sendable {
  /// What one frame says of itself.
  private struct Head {
    let opcode: WebSocketOpcode
    let isLast: Bool
    let mask: [UInt8]?
    var done = 0
    let count: Int
  }

  private let role: WebSocketRole
  private let limits: WebSocketLimits
  private var input: [UInt8] = []
  private var position = 0
  private var head: Head?
  private var control: [UInt8] = []
  private var payload: [UInt8] = []
  /// The kind of the message whose fragments come; `nil` between messages.
  private var kind: WebSocketOpcode?
  private var fragments = 0
  private var fault: WebSocketFault?
  /// A close frame has come: nothing follows.
  private var isClosed = false

  /// - Parameter role: of the peer whose frames are read: a client masks, a server does not.
  package init(reading role: WebSocketRole, limits: WebSocketLimits = WebSocketLimits()) {
    self.role = role
    self.limits = limits
  }

  /// Bytes that are kept.
  package var byteCount: Int { input.count - position + payload.count + control.count }

  /// Takes the next bytes. Behind a close frame, or a fault, they mean nothing and are not kept.
  package mutating func append(_ bytes: some Sequence<UInt8>) {
    if isClosed || fault != nil { return }
    input.append(contentsOf: bytes)
  }

  /// The next message that is whole; `nil` when more bytes are needed.
  ///
  /// - Throws: what is wrong, and the same again for every later call.
  package mutating func next() throws(WebSocketFault) -> WebSocketMessage? {
    if let fault { throw fault }
    do {
      while !isClosed {
        if head == nil { head = try readHead() }
        guard let head = try readPayload() else { break }
        self.head = nil
        if let message = try finish(head) { return message }
      }
    } catch {
      fault = error
      (input, position) = ([], 0)
      payload = []
      throw error
    }
    forget()
    return nil
  }

  /// Frees the bytes that were read.
  private mutating func forget() {
    if isClosed || position == input.count {
      input = []
    } else if position > 0 {
      input.removeFirst(position)
    }
    position = 0
  }

  /// The head of the next frame; `nil` when it is not whole. What is wrong with its beginning is said at once.
  private mutating func readHead() throws(WebSocketFault) -> Head? {
    let bytes = input[position...].prefix(14)
    guard let first = bytes.first else { return nil }
    guard first & 0x70 == 0 else { throw WebSocketFault("A reserved bit of a frame is set.") }
    guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else {
      throw WebSocketFault("A frame is of no known kind.")
    }
    let isLast = first & 0x80 != 0
    try checkOrder(opcode, isLast: isLast)
    guard bytes.count >= 2 else { return nil }
    let second = bytes[position + 1]
    let isMasked = second & 0x80 != 0
    guard isMasked == (role == .client) else {
      throw WebSocketFault(isMasked ? "A server masked a frame." : "A client did not mask a frame.")
    }
    let short = Int(second & 0x7F)
    if opcode.isControl, short > 125 { throw WebSocketFault("A control frame is longer than 125 bytes.") }
    let width = short == 126 ? 2 : short == 127 ? 8 : 0
    guard bytes.count >= 2 + width else { return nil }
    let long = bytes.dropFirst(2).prefix(width).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    if width > 0, long < (width == 2 ? 126 : 1 << 16) { throw WebSocketFault("A length is longer than needed.") }
    guard long >> 63 == 0, let count = Int(exactly: width == 0 ? UInt64(short) : long) else {
      throw WebSocketFault("A length is negative.")
    }
    try checkSize(count, of: opcode)
    let end = 2 + width + (isMasked ? 4 : 0)
    guard bytes.count >= end else { return nil }
    let mask = isMasked ? Array(bytes.dropFirst(2 + width).prefix(4)) : nil
    position += end
    return Head(opcode: opcode, isLast: isLast, mask: mask, count: count)
  }

  private func checkOrder(_ opcode: WebSocketOpcode, isLast: Bool) throws(WebSocketFault) {
    switch opcode {
    case .continuation where kind == nil: throw WebSocketFault("A fragment continues nothing.")
    case .text, .binary:
      if kind != nil { throw WebSocketFault("A message begins inside of another one.") }
    case .close, .ping, .pong:
      if !isLast { throw WebSocketFault("A control frame is a fragment.") }
    default: break
    }
  }

  private func checkSize(_ count: Int, of opcode: WebSocketOpcode) throws(WebSocketFault) {
    if opcode.isControl { return }
    guard count <= limits.frameBytes, count <= limits.messageBytes - payload.count else {
      throw WebSocketFault(WebSocketCode.tooLarge, "A message is larger than allowed.")
    }
    guard fragments < limits.fragments else {
      throw WebSocketFault(WebSocketCode.tooLarge, "A message has more fragments than allowed.")
    }
  }

  /// Takes what has come of the frame's payload; its head, once the payload is whole.
  private mutating func readPayload() throws(WebSocketFault) -> Head? {
    guard var head else { return nil }
    let count = min(head.count - head.done, input.count - position)
    let piece = input[position..<position + count]
    if head.opcode.isControl {
      Self.append(piece, to: &control, mask: head.mask, from: head.done)
    } else {
      Self.append(piece, to: &payload, mask: head.mask, from: head.done)
    }
    position += count
    head.done += count
    self.head = head
    return head.done == head.count ? head : nil
  }

  private static func append(_ piece: ArraySlice<UInt8>, to bytes: inout [UInt8], mask: [UInt8]?, from place: Int) {
    let start = bytes.count
    bytes.append(contentsOf: piece)
    guard let mask else { return }
    WebSocketMask.apply(mask, to: &bytes, from: start, place: place)
  }

  /// The message that a whole frame ends, if it ends one.
  private mutating func finish(_ head: Head) throws(WebSocketFault) -> WebSocketMessage? {
    switch head.opcode {
    case .ping: return .ping(takeControl())
    case .pong: return .pong(takeControl())
    case .close:
      isClosed = true
      return try close(takeControl())
    case .text, .binary: kind = head.opcode
    case .continuation: break
    }
    fragments += 1
    guard head.isLast else { return nil }
    let (isText, bytes) = (kind == .text, payload)
    payload = []
    fragments = 0
    kind = nil
    return isText ? .text(try text(bytes)) : .binary(bytes)
  }

  private mutating func takeControl() -> [UInt8] {
    defer { control = [] }
    return control
  }

  private func close(_ bytes: [UInt8]) throws(WebSocketFault) -> WebSocketMessage {
    if bytes.isEmpty { return .close(code: nil, reason: "") }
    guard bytes.count >= 2 else { throw WebSocketFault("A close frame has half a code.") }
    let code = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
    guard WebSocketCode.isSendable(code) else { throw WebSocketFault("A close frame has a code that is none.") }
    return .close(code: code, reason: try text(Array(bytes.dropFirst(2))))
  }

  private func text(_ bytes: [UInt8]) throws(WebSocketFault) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw WebSocketFault(WebSocketCode.invalidText, "A text is not UTF-8.")
    }
    return text
  }
}
