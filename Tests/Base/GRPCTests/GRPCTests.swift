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
}
