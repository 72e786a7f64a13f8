import JSON

/// A message with its outer members read (JSON-RPC 2.0, sections 4 and 5). Params, result and error stay bytes: the
/// ranges are offsets in the message, and their reader checks the content.
enum Envelope: Equatable {
  case request(RequestID, method: String, params: Range<Int>?)
  case notification(method: String, params: Range<Int>?)
  case result(RequestID, Range<Int>)
  /// A peer that could not read an id answers with null.
  case failure(RequestID?, Range<Int>)
  /// JSON, but no message. `expectsAnswer` is false for what looks like a response: answering one could go on for ever.
  case invalid(RequestID?, reason: String, expectsAnswer: Bool)

  /// - Throws: `JSONError` when the bytes are no JSON.
  static func parse(_ bytes: UnsafeRawBufferPointer, maximumDepth: Int) throws(JSONError) -> Envelope {
    if let envelope = unsafe canonical(bytes, maximumDepth: maximumDepth) { return envelope }
    var reader = unsafe JSONReader(bytes, maximumDepth: maximumDepth)
    try reader.refuseByteOrderMark()
    guard try reader.peek() == 0x7B else {
      let isBatch = try reader.peek() == 0x5B
      try reader.skip()
      try reader.finish()
      let reason = isBatch ? "Batches are not supported: send one message at a time." : "A message is a JSON object."
      return .invalid(nil, reason: reason, expectsAnswer: true)
    }
    var fields = EnvelopeFields()
    try fields.read(&reader)
    try reader.finish()
    return fields.envelope(&reader)
  }
}

/// The outer members of one message, as they were found.
struct EnvelopeFields {
  enum ID {
    case absent
    case null
    case id(RequestID)
    case unusable
  }

  private var seen: UInt8 = 0
  private var hasVersion = false
  private var id = ID.absent
  private var method: StringSpan?
  private var methodIsString = true
  private var params: Range<Int>?
  private var result: Range<Int>?
  private var failure: Range<Int>?

  private enum Member: UInt8 {
    case id = 1
    case jsonrpc = 2
    case method = 4
    case params = 8
    case result = 16
    case error = 32
  }

  mutating func read(_ reader: inout JSONReader) throws(JSONError) {
    try reader.enter()
    let mark = reader.names.names.count
    if try reader.take(0x7D) {
      reader.depth -= 1
      return
    }
    repeat {
      guard try reader.peek() == 0x22 else { throw JSONError(.unexpectedCharacter, at: reader.at) }
      let name = try reader.stringSpan()
      try reader.expect(0x3A)
      if let member = member(name, reader) {
        if seen & member.rawValue != 0 { throw JSONError(.duplicateKey(reader.text(of: name)), at: name.start - 1) }
        seen |= member.rawValue
        try read(member, &reader)
      } else {
        reader.note(name)
        try reader.skip()
      }
    } while try reader.take(0x2C)
    if reader.names.names.count > mark { try reader.settleNames(from: mark) }
    try reader.expect(0x7D)
    reader.depth -= 1
  }

  @inline(__always)
  private func member(_ name: StringSpan, _ reader: borrowing JSONReader) -> Member? {
    switch name.end &- name.start {
    case 2 where reader.matches(name, "id"): .id
    case 5 where reader.matches(name, "error"): .error
    case 6 where reader.matches(name, "method"): .method
    case 6 where reader.matches(name, "params"): .params
    case 6 where reader.matches(name, "result"): .result
    case 7 where reader.matches(name, "jsonrpc"): .jsonrpc
    default: name.isEscaped ? escapedMember(reader.text(of: name)) : nil
    }
  }

  private func escapedMember(_ name: String) -> Member? {
    switch name {
    case "id": .id
    case "error": .error
    case "method": .method
    case "params": .params
    case "result": .result
    case "jsonrpc": .jsonrpc
    default: nil
    }
  }

  private mutating func read(_ member: Member, _ reader: inout JSONReader) throws(JSONError) {
    switch member {
    case .id: id = try readID(&reader)
    case .jsonrpc:
      if try reader.peek() == 0x22 {
        hasVersion = reader.matches(try reader.stringSpan(), "2.0")
      } else {
        try reader.skip()
      }
    case .method:
      methodIsString = try reader.peek() == 0x22
      if methodIsString { method = try reader.stringSpan() } else { try reader.skip() }
    case .params: params = try reader.skipUnchecked()
    case .result: result = try reader.skipUnchecked()
    case .error: failure = try reader.skipUnchecked()
    }
  }

  private func readID(_ reader: inout JSONReader) throws(JSONError) -> ID {
    switch try reader.peek() {
    case 0x22:
      let span = try reader.stringSpan()
      let text = reader.text(of: span)
      return text.utf8.count <= RequestID.maximumStringBytes ? .id(.string(text)) : .unusable
    case 0x6E:
      try reader.literal("null")
      return .null
    case 0x2D, 0x30...0x39:
      let span = try reader.numberSpan()
      guard span.isInteger, let number = reader.integer(of: span, as: Int64.self) else { return .unusable }
      return .id(.number(number))
    default:
      try reader.skip()
      return .unusable
    }
  }

  /// Whether it calls something, or tries to.
  var hasMethod: Bool { seen & Member.method.rawValue != 0 }

  private var isResponse: Bool { result != nil || failure != nil }

  var knownID: RequestID? { if case .id(let id) = id { id } else { nil } }

  @inline(never)
  private func invalid(_ reason: String) -> Envelope {
    .invalid(knownID, reason: reason, expectsAnswer: !isResponse)
  }

  /// What the members make together.
  @inline(__always)
  func envelope(_ reader: inout JSONReader) -> Envelope {
    guard hasVersion else { return invalid("The member jsonrpc must be \"2.0\".") }
    if case .unusable = id {
      return invalid("An id is a whole number or a string of at most \(RequestID.maximumStringBytes) bytes.")
    }
    guard !hasMethod else {
      guard let method else { return invalid("The member method must be a string.") }
      if isResponse { return invalid("A message has a method or a result, not both.") }
      if let params, reader.byte(params.lowerBound) != 0x7B, reader.byte(params.lowerBound) != 0x5B {
        return invalid("The member params must be an object or an array.")
      }
      let name = reader.text(of: method)
      switch id {
      case .absent: return .notification(method: name, params: params)
      case .id(let id): return .request(id, method: name, params: params)
      case .null, .unusable: return invalid("The id of a request must not be null.")
      }
    }
    switch (result, failure) {
    case (let result?, nil): return knownID.map { .result($0, result) } ?? invalid("A result needs an id.")
    case (nil, let failure?):
      if case .absent = id { return invalid("An error needs an id, or null.") }
      return .failure(knownID, failure)
    case (nil, nil): return invalid("A message needs a method, a result or an error.")
    default: return invalid("A response has a result or an error, not both.")
    }
  }
}
