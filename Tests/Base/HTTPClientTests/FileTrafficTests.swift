import Foundation
import TestSupport
import Testing

@testable import HTTPClient

/// The bodies of an exchange on their way from a file and into one, piece by piece: without a server.
@Suite(.timeLimit(.minutes(1)))
struct `A body between a file and the network` {
  private let directory: TemporaryDirectory
  private let head = HTTPResponse(status: 200, url: "http://a/")

  init() throws { directory = try TemporaryDirectory() }

  /// An open file with a text, for the time of the body.
  private func withFile<Value>(
    _ text: String = "", _ flags: Int32 = O_RDWR, _ body: (Int32) throws -> Value
  ) throws -> Value {
    let path = try directory.write(text, to: UUID().uuidString)
    let descriptor = open(path, flags | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    return try body(descriptor)
  }

  private func content(_ descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  private func traffic(
    from source: HTTPFileRequest.Source? = nil, to target: HTTPFileRequest.Target = .refused, room: Int64? = nil,
    limit: HTTPRateLimit? = nil
  ) -> FileTraffic {
    var request = HTTPFileRequest(HTTPRequest("PUT", "http://a/"), source: source) { _ in target }
    (request.room, request.limit) = (room, limit)
    return FileTraffic(FileExchange(request))
  }

  /// What is sent next when so many bytes are wanted; or a word for why nothing is (`CURL_READFUNC_…`).
  private func next(_ traffic: FileTraffic, _ most: Int) -> String {
    var buffer = [UInt8](repeating: 0, count: most)
    let count = buffer.withUnsafeMutableBytes { traffic.send($0) }
    switch count {
    case 0x1000_0000: return "abort"
    case 0x1000_0001: return "pause"
    default: return String(decoding: buffer.prefix(count), as: UTF8.self)
    }
  }

  private func receive(_ text: String, _ traffic: FileTraffic) -> Transfer.Receipt {
    Array(text.utf8).withUnsafeBytes { traffic.receive($0) }
  }

  @Test func `is sent from its place in the file to its end, and again from where it is wanted`() throws {
    try withFile("0123456789") { file in
      let traffic = traffic(from: .init(descriptor: file, offset: 2, count: 5))
      let progress = traffic.exchange.request.progress
      #expect(next(traffic, 3) == "234" && progress.sent == 3)
      #expect(next(traffic, 3) == "56" && next(traffic, 3) == "" && next(traffic, 3) == "" && progress.sent == 5)
      for (place, rest) in [(1, "3456"), (0, "23456"), (5, "")] as [(Int64, String)] {
        traffic.rewind(to: place)
        #expect(progress.sent == place)
        #expect(next(traffic, 9) == rest && next(traffic, 9) == "" && progress.sent == 5)
      }
    }
  }

  @Test func `is nothing without a source, as much as there is, and cannot be sent from what is not open`() throws {
    #expect(next(traffic(), 9) == "")
    try withFile("abc") { file in
      let traffic = traffic(from: .init(descriptor: file, count: 9))
      #expect(next(traffic, 9) == "abc" && next(traffic, 9) == "")
    }
    #expect(next(traffic(from: .init(descriptor: -1, count: 9)), 9) == "abort")
  }

  @Test func `is sent in the pieces of its limit, and pauses when that is used up, but not at its end`() throws {
    try withFile(String(repeating: "x", count: 2_000)) { file in
      let long = traffic(
        from: .init(descriptor: file, count: 2_000), limit: HTTPRateLimit(bytesPerSecond: 1))
      #expect(next(long, 4_096).utf8.count == 1_024 && !long.isHeldBack)
      for _ in 0..<2 { #expect(next(long, 4_096) == "pause" && long.isHeldBack) }
      #expect(long.exchange.request.progress.sent == 1_024)
      let short = traffic(
        from: .init(descriptor: file, count: 1_024), limit: HTTPRateLimit(bytesPerSecond: 1))
      #expect(next(short, 4_096).utf8.count == 1_024 && next(short, 4_096) == "" && !short.isHeldBack)
    }
  }

  @Test func `is thrown away up to its bound, however many pieces it comes in`() {
    let traffic = traffic(to: .nowhere(limit: 5))
    #expect(receive("a", traffic) == .refused, "nobody knows yet where it goes")
    #expect(traffic.begin(head))
    #expect(receive("abc", traffic) == .taken && receive("de", traffic) == .taken)
    #expect(receive("f", traffic) == .refused && receive("", traffic) == .taken)
    #expect(traffic.exchange.request.progress.received == 0, "nothing of it is stored")
    let refused = self.traffic(to: .refused)
    #expect(!refused.begin(head) && receive("a", refused) == .refused)
  }

  @Test func `is stored piece by piece from its place on, as far as there is room`() throws {
    try withFile("xyz") { file in
      let traffic = traffic(to: .file(descriptor: file, offset: 2), room: 6)
      #expect(traffic.begin(head))
      #expect(receive("ab", traffic) == .taken && receive("cd", traffic) == .taken)
      #expect(content(file) == "xyabcd" && traffic.exchange.request.progress.received == 4)
      #expect(traffic.exchange.outcome(.success(head)).end == .whole)
      #expect(receive("e", traffic) == .refused)
      #expect(content(file) == "xyabcd" && traffic.exchange.request.progress.received == 4)
      #expect(traffic.exchange.outcome(.success(head)).end == .cannotWrite(EDQUOT))
    }
    try withFile("xyz", O_RDONLY) { file in
      let traffic = traffic(to: .file(descriptor: file, offset: 0))
      #expect(traffic.begin(head) && receive("a", traffic) == .refused && content(file) == "xyz")
      #expect(traffic.exchange.outcome(.success(head)).end == .cannotWrite(EBADF))
    }
  }

  @Test func `waits whole when its limit is used up`() throws {
    try withFile { file in
      let traffic = traffic(to: .file(descriptor: file, offset: 0), limit: HTTPRateLimit(bytesPerSecond: 1))
      #expect(traffic.begin(head))
      let piece = String(repeating: "x", count: 1_000)
      #expect(receive(piece, traffic) == .taken && !traffic.isHeldBack)
      for _ in 0..<2 { #expect(receive("y", traffic) == .full && traffic.isHeldBack) }
      #expect(content(file) == piece && traffic.exchange.request.progress.received == 1_000)
    }
  }
}
