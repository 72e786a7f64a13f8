import GRPC
import HTTP
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The messages of gRPC` {
  private static func messages(_ bytes: [UInt8], by step: Int, limit: Int = 10) throws(GRPCStatus) -> [[UInt8]] {
    var (reader, found, rest) = (GRPCMessageReader(limit: limit), [[UInt8]](), bytes[...])
    while !rest.isEmpty {
      reader.append(Array(rest.prefix(step)))
      rest = rest.dropFirst(step)
      while let message = try reader.next() { found.append(message) }
    }
    return found
  }

  @Test(arguments: [1, 2, 5, 100]) func `are the same whatever pieces they come in`(step: Int) throws {
    let bytes = GRPCMessageReader.framed([1, 2, 3]) + GRPCMessageReader.framed([]) + GRPCMessageReader.framed([4])
    #expect(try Self.messages(bytes, by: step) == [[1, 2, 3], [], [4]])
  }

  @Test func `are taken up to the limit, and not compressed`() throws {
    #expect(try Self.messages(GRPCMessageReader.framed([UInt8](repeating: 0, count: 10)), by: 3).count == 1)
    let refused: [([UInt8], GRPCCode)] = [
      ([0, 0, 0, 0, 11], .resourceExhausted), ([0, 255, 255, 255, 255], .resourceExhausted),
      ([1, 0, 0, 0, 0], .unimplemented), ([2, 0, 0, 0, 0], .internal),
    ]
    for (bytes, code) in refused {
      #expect { try Self.messages(bytes, by: 5) } throws: { ($0 as? GRPCStatus)?.code == code }
    }
  }

  @Test func `end with a status whose text is escaped and cut`() {
    #expect(GRPCStatus.ok.trailers == [HTTPField("grpc-status", "0")])
    let status = GRPCStatus(.notFound, "100 % ä\n\"x\"")
    #expect(status.trailers.last == HTTPField("grpc-message", "100 %25 %C3%A4%0A\"x\""))
    let long = GRPCStatus(.unknown, String(repeating: "ä", count: 2_000)).trailers.last
    #expect(long?.value.utf8.count == 512 * 6)
  }

  @Test func `have a time of eight digits at most, with a unit`() {
    let times: [(String, Duration?)] = [
      ("1H", .seconds(3_600)), ("2M", .seconds(120)), ("3S", .seconds(3)), ("4m", .milliseconds(4)),
      ("5u", .microseconds(5)), ("6n", .nanoseconds(6)), ("99999999H", .seconds(99_999_999 * 3_600)), ("0n", .zero),
      ("100000000S", nil), ("S", nil), ("", nil), ("1", nil), ("-1S", nil), ("+1S", nil), ("1.5S", nil), ("1s", nil),
      ("١S", nil),
    ]
    for (text, time) in times { #expect(GRPCRequest.timeout(text) == time, "\(text)") }
  }

  @Test func `are known by their content type`() {
    for text in ["application/grpc", "application/grpc+proto", "Application/GRPC; a=b"] {
      #expect(GRPCRequest.isContentType(text))
    }
    for text in ["application/grpc+json", "application/grpc-web", "application/json", ""] {
      #expect(!GRPCRequest.isContentType(text))
    }
  }

  @Test func `have a code for each name and each status of HTTP`() {
    #expect(GRPCCode(name: "UNAUTHENTICATED")?.rawValue == 16 && GRPCCode(name: "ok") == nil)
    #expect(GRPCCode.allCases.count == 17)
    #expect(GRPCCode(httpStatus: 403) == .permissionDenied && GRPCCode(httpStatus: 421) == .unknown)
  }

  @Test(
    arguments: [(255, [0, 0, 0, 0, 255]), (256, [0, 0, 0, 1, 0]), (70_000, [0, 0, 1, 17, 112])] as [(Int, [UInt8])])
  func `have their length before them, in four bytes`(count: Int, head: [UInt8]) throws {
    let framed = GRPCMessageReader.framed([UInt8](repeating: 3, count: count))
    #expect(Array(framed.prefix(5)) == head && framed.count == count + 5)
    #expect(try Self.messages(framed, by: framed.count, limit: count).map(\.count) == [count])
  }

  @Test func `are read as soon as they are whole, also one without bytes`() throws {
    var reader = GRPCMessageReader(limit: 10)
    for _ in 0..<2 {
      reader.append([0, 0, 0, 0])
      #expect(try reader.next() == nil && reader.byteCount == 4)
      reader.append([0])
      #expect(try reader.next() == [] && reader.byteCount == 0)
      reader.append([0, 0, 0, 0, 2, 7])
      #expect(try reader.next() == nil && reader.byteCount == 6)
      reader.append([8, 0])
      #expect(try reader.next() == [7, 8] && reader.byteCount == 1)
      reader.append([0, 0, 0, 1, 9])
      #expect(try reader.next() == [9] && reader.next() == nil && reader.byteCount == 0)
    }
  }

  @Test func `end with the first 1,024 bytes of a long text, and with no half of a character`() {
    for (text, count) in [("a", 1_024), ("a", 1_025), ("ä", 512), ("€", 341)] {
      let status = GRPCStatus(.unknown, String(repeating: text, count: count) + (count == 1_024 ? "" : text))
      let kept = min(count, 1_024 / text.utf8.count)
      let whole = PercentEncoding.encoded(String(repeating: text, count: kept))
      #expect(status.trailers == [HTTPField("grpc-status", "2"), HTTPField("grpc-message", whole)])
    }
  }

  @Test func `end with as much of a text as there is room for, also within a character of many marks`() {
    let value = GRPCStatus(.unknown, "a" + String(repeating: "\u{301}", count: 2_000)).trailers.last?.value
    #expect(value == "a" + String(repeating: "%CC%81", count: 511))
  }

  @Test(arguments: [
    ("OK", 0), ("CANCELLED", 1), ("UNKNOWN", 2), ("INVALID_ARGUMENT", 3), ("DEADLINE_EXCEEDED", 4), ("NOT_FOUND", 5),
    ("ALREADY_EXISTS", 6), ("PERMISSION_DENIED", 7), ("RESOURCE_EXHAUSTED", 8), ("FAILED_PRECONDITION", 9),
    ("ABORTED", 10), ("OUT_OF_RANGE", 11), ("UNIMPLEMENTED", 12), ("INTERNAL", 13), ("UNAVAILABLE", 14),
    ("DATA_LOSS", 15), ("UNAUTHENTICATED", 16),
  ])
  func `have the numbers of Google for their codes`(name: String, number: Int) {
    #expect(GRPCCode(name: name)?.rawValue == number)
  }

  @Test(
    arguments: [
      (400, .internal), (401, .unauthenticated), (403, .permissionDenied), (404, .unimplemented), (429, .unavailable),
      (502, .unavailable), (503, .unavailable), (504, .unavailable), (500, .unknown), (200, .unknown),
    ] as [(Int, GRPCCode)])
  func `have a code for a status of HTTP`(status: Int, code: GRPCCode) { #expect(GRPCCode(httpStatus: status) == code) }

  @Test func `are known with spaces around their parameters too`() {
    #expect(GRPCRequest.isContentType("application/grpc ; charset=utf-8"))
    #expect(!GRPCRequest.isContentType("text/plain; application/grpc"))
    #expect(GRPCRequest.isContentType("\tapplication/grpc+PROTO\t;a"))
    #expect(GRPCRequest.isContentType("application/grpc;\u{301}"))
    // A Greek question mark looks like a semicolon.
    for text in ["application/grpc\u{37E}a", "appli cation/grpc", "application/grpc, a"] {
      #expect(!GRPCRequest.isContentType(text), "\(text)")
    }
  }
}
