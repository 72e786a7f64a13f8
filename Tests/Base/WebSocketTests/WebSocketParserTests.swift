import Testing
import WebSocket

private func read(
  _ bytes: [UInt8], of role: WebSocketRole = .server, by step: Int = .max, limits: WebSocketLimits = WebSocketLimits()
) throws -> [WebSocketMessage] {
  var parser = WebSocketParser(reading: role, limits: limits)
  var (rest, found) = (bytes[...], [WebSocketMessage]())
  repeat {
    parser.append(rest.prefix(step))
    rest = rest.dropFirst(step)
    while let message = try parser.next() { found.append(message) }
  } while !rest.isEmpty
  return found
}

private func fault(_ bytes: [UInt8], of role: WebSocketRole = .server, limits: WebSocketLimits = WebSocketLimits())
  -> WebSocketFault?
{
  do {
    _ = try read(bytes, of: role, limits: limits)
    return nil
  } catch {
    return error as? WebSocketFault
  }
}

@Suite struct `The parser of WebSocket frames` {
  /// RFC 6455, 5.7.
  static let examples: [([UInt8], WebSocketRole, WebSocketMessage)] = [
    ([0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], .server, .text("Hello")),
    ([0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58], .client, .text("Hello")),
    ([0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F], .server, .text("Hello")),
    ([0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], .server, .ping(Array("Hello".utf8))),
    ([0x8A, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58], .client, .pong(Array("Hello".utf8))),
    (
      [0x82, 0x7E, 0x01, 0x00] + [UInt8](repeating: 7, count: 256), .server, .binary([UInt8](repeating: 7, count: 256))
    ),
    (
      [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + [UInt8](repeating: 7, count: 65536), .server,
      .binary([UInt8](repeating: 7, count: 65536))
    ),
  ]

  @Test(arguments: examples)
  func `reads the examples of the standard, however they are cut`(
    bytes: [UInt8], role: WebSocketRole, message: WebSocketMessage
  ) throws {
    for step in [Int.max, 1, 3, 1000] { #expect(try read(bytes, of: role, by: step) == [message]) }
  }

  @Test func `lets control frames through between the fragments of a message`() throws {
    let bytes =
      WebSocketWriter.fragment([0xC3], isText: true, isFirst: true, isLast: false, mask: nil)
      + WebSocketWriter.frame(.ping([1]), mask: nil)
      + WebSocketWriter.fragment([], isText: true, isFirst: false, isLast: false, mask: nil)
      + WebSocketWriter.fragment([0xA4], isText: true, isFirst: false, isLast: true, mask: nil)
      + WebSocketWriter.frame(.binary([]), mask: nil)
    #expect(try read(bytes, by: 1) == [.ping([1]), .text("ä"), .binary([])])
  }

  static let broken: [(String, [UInt8], UInt16)] = [
    ("a reserved bit", [0xC1, 0x00], 1002), ("another reserved bit", [0x91, 0], 1002),
    ("an unknown kind", [0x83, 0x00], 1002), ("an unknown control frame", [0x8B, 0], 1002),
    ("a mask of a server", [0x81, 0x80, 0, 0, 0, 0], 1002), ("a fragment of nothing", [0x80, 0x00], 1002),
    ("a message inside of another", [0x01, 0x00, 0x81, 0x00], 1002), ("a ping in fragments", [0x09, 0x00], 1002),
    ("a long ping", [0x89, 0x7E, 0x00, 0x7E], 1002), ("a length in too many bytes", [0x82, 0x7E, 0x00, 0x7D], 1002),
    ("the same with eight", [0x82, 0x7F, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 1002),
    ("a negative length", [0x82, 0x7F, 0x80, 0, 0, 0, 0, 0, 0, 0], 1002),
    ("half a code", [0x88, 0x01, 0x03], 1002), ("a code that is never sent", [0x88, 0x02, 0x03, 0xED], 1002),
    ("a code below 1000", [0x88, 0x02, 0x03, 0xE7], 1002), ("a code of no registry", [0x88, 0x02, 0x07, 0xD0], 1002),
    ("a text that is not UTF-8", [0x81, 0x02, 0xC3, 0x28], 1007), ("a text that is cut", [0x81, 0x01, 0xC3], 1007),
    ("a surrogate", [0x81, 0x03, 0xED, 0xA0, 0x80], 1007),
    ("a reason that is not UTF-8", [0x88, 0x03, 0x03, 0xE8, 0xFF], 1007),
    ("a frame without end", [0x82, 0x7F, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], 1009),
  ]

  @Test(arguments: broken)
  func `refuses what breaks a rule, with the code for it`(name: String, bytes: [UInt8], code: UInt16) {
    #expect(fault(bytes)?.code == code, "\(name)")
  }

  @Test func `refuses a frame of a client that is not masked`() {
    #expect(fault([0x81, 0x00], of: .client)?.code == 1002)
    #expect(fault([0x81, 0x00], of: .client)?.message == "A client did not mask a frame.")
    #expect(fault([0x81, 0x80, 0, 0, 0, 0])?.message == "A server masked a frame.")
  }

  @Test func `keeps to its limits, and to nothing that a length claims`() throws {
    var limits = WebSocketLimits()
    (limits.frameBytes, limits.messageBytes, limits.fragments) = (100, 150, 3)
    #expect(
      fault(WebSocketWriter.frame(.binary([UInt8](repeating: 0, count: 101)), mask: nil), limits: limits)?.code == 1009)
    let half = [UInt8](repeating: 0, count: 76)
    func part(_ bytes: [UInt8], isFirst: Bool = false, isLast: Bool = false) -> [UInt8] {
      WebSocketWriter.fragment(bytes, isText: false, isFirst: isFirst, isLast: isLast, mask: nil)
    }
    #expect(fault(part(half, isFirst: true) + part(half, isLast: true), limits: limits)?.code == 1009)
    #expect(
      fault(part([], isFirst: true) + part([]) + part([]) + part([], isLast: true), limits: limits)?.code == 1009)
    #expect(try read(part([], isFirst: true) + part([]) + part([1], isLast: true), limits: limits) == [.binary([1])])
    var parser = WebSocketParser(reading: .server)
    parser.append([0x82, 0x7F, 0, 0, 0, 0, 0, 0x0F, 0xFF, 0xFF])
    #expect(try parser.next() == nil)
    #expect(parser.byteCount == 0)
  }

  @Test func `begins anew with each message, up to its limits exactly`() throws {
    var limits = WebSocketLimits()
    (limits.frameBytes, limits.messageBytes, limits.fragments) = (100, 150, 3)
    func message(_ sizes: [Int]) -> [UInt8] {
      sizes.enumerated().flatMap { index, size in
        WebSocketWriter.fragment(
          [UInt8](repeating: 1, count: size), isText: false, isFirst: index == 0, isLast: index == sizes.count - 1,
          mask: nil)
      }
    }
    let most = message([100, 49, 1])
    let whole = WebSocketMessage.binary([UInt8](repeating: 1, count: 150))
    for step in [Int.max, 1] {
      #expect(try read(most + most + most, by: step, limits: limits) == [whole, whole, whole])
    }
    #expect(fault(most + message([100, 49, 2]), limits: limits)?.code == 1009)
    #expect(fault(most + message([1, 1, 1, 0]), limits: limits)?.code == 1009)
    let pings = [[UInt8](repeating: 1, count: 125), [2], [], [3, 4]].map { WebSocketMessage.ping($0) }
    for step in [Int.max, 1] {
      #expect(try read(pings.flatMap { WebSocketWriter.frame($0, mask: nil) }, by: step) == pings)
    }
  }

  @Test func `says the same fault again and reads nothing behind a close`() throws {
    var parser = WebSocketParser(reading: .server)
    parser.append([0x83, 0x00])
    let first = #expect(throws: WebSocketFault.self) { try parser.next() }
    parser.append(WebSocketWriter.frame(.text("x"), mask: nil))
    let second = #expect(throws: WebSocketFault.self) { try parser.next() }
    #expect(first == second)
    let close = WebSocketWriter.frame(.close(code: 4000, reason: "enough"), mask: nil)
    #expect(try read(close + [0xFF, 0xFF, 0xFF]) == [.close(code: 4000, reason: "enough")])
    #expect(try read([0x88, 0x00]) == [.close(code: nil, reason: "")])
  }

  @Test func `keeps nothing behind a close, however it comes`() throws {
    let close = WebSocketWriter.frame(.close(code: 1000, reason: ""), mask: nil)
    for rest in [[], [0x81], [UInt8](repeating: 0x81, count: 1_000)] as [[UInt8]] {
      var parser = WebSocketParser(reading: .server)
      parser.append(WebSocketWriter.frame(.text("a"), mask: nil) + close + rest)
      #expect(try parser.next() == .text("a") && parser.byteCount > 0)
      #expect(try parser.next() == .close(code: 1000, reason: ""))
      #expect(try parser.next() == nil && parser.byteCount == 0)
      parser.append(rest)
      #expect(parser.byteCount == 0)
      #expect(try parser.next() == nil)
    }
  }
}

@Suite struct `The writer of WebSocket frames` {
  @Test(arguments: [0, 1, 125, 126, 127, 65535, 65536, 100_000])
  func `writes what the parser reads, masked and not`(count: Int) throws {
    let message = WebSocketMessage.binary((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    #expect(try read(WebSocketWriter.frame(message, mask: nil), of: .server, by: 4097) == [message])
    let masked = WebSocketWriter.frame(message, mask: [1, 2, 3, 4])
    #expect(try read(masked, of: .client, by: 4097) == [message])
    #expect(masked.count == WebSocketWriter.frame(message, mask: nil).count + 4)
  }

  @Test func `cuts a reason between characters`() throws {
    let frame = WebSocketWriter.frame(.close(code: 1000, reason: String(repeating: "ä", count: 100)), mask: nil)
    #expect(try read(frame) == [.close(code: 1000, reason: String(repeating: "ä", count: 61))])
  }
}
