import Foundation
import Synchronization

/// A server on a loopback port that misbehaves as a test says: one request for each connection.
final class FaultyServer: Sendable {
  struct Request: Sendable {
    var method: String
    var path: String
    /// By their names in lower case.
    var headers: [String: String]
    var body: [UInt8]

    /// The first byte that is asked for.
    var first: Int? {
      headers["range"].flatMap { range in
        guard range.hasPrefix("bytes="), range.hasSuffix("-") else { return nil }
        return Int(range.dropFirst(6).dropLast())
      }
    }
  }

  struct Reply: Sendable {
    var status = 200
    var headers: [(String, String)] = []
    var body: [UInt8] = []
    /// What the header says instead of the true length.
    var length: Int?
    /// After so many bytes of the body the connection is closed.
    var cut: Int?
    /// After what is sent nothing follows, and the connection stays open.
    var isSilent = false
  }

  typealias Handler = @Sendable (Request, Int) -> Reply

  let port: Int
  private let listener: Int32
  private let handler: Handler
  private let state = Mutex<(requests: [Request], open: Set<Int32>)>(([], []))

  init(port: Int = 0, _ handler: @escaping Handler) throws {
    self.handler = handler
    let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var on: Int32 = 1
    setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(made, $0, size) + listen(made, 128) + getsockname(made, $0, &size)
      }
    }
    guard code == 0 else { throw POSIXError(.EADDRINUSE) }
    listener = made
    self.port = Int(UInt16(bigEndian: address.sin_port))
    let thread = Thread { [self] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        Thread { [self] in serve(connection) }.start()
      }
    }
    thread.start()
  }

  var url: String { "http://127.0.0.1:\(port)" }
  var requests: [Request] { state.withLock { $0.requests } }

  /// Ends the server and its connections.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    for connection in state.withLock({ $0.open }) { shutdown(connection, Int32(SHUT_RDWR)) }
  }

  private func serve(_ connection: Int32) {
    state.withLock { _ = $0.open.insert(connection) }
    defer {
      state.withLock { _ = $0.open.remove(connection) }
      // A program that a test starts may have it too.
      shutdown(connection, Int32(SHUT_RDWR))
      close(connection)
    }
    guard let request = read(connection) else { return }
    let index = state.withLock {
      $0.requests.append(request)
      return $0.requests.count - 1
    }
    let reply = handler(request, index)
    var head = "HTTP/1.1 \(reply.status) Status\r\nConnection: close\r\n"
    for (name, value) in reply.headers { head += "\(name): \(value)\r\n" }
    head += "Content-Length: \(reply.length ?? reply.body.count)\r\n\r\n"
    send(Array(head.utf8) + reply.body.prefix(reply.cut ?? .max), to: connection)
    guard reply.isSilent else { return }
    var byte: UInt8 = 0
    while recv(connection, &byte, 1, 0) > 0 {}
  }

  private func read(_ connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    func more() -> Bool {
      let count = recv(connection, &buffer, buffer.count, 0)
      // Nor does it speak TLS.
      guard count > 0, !bytes.isEmpty || buffer[0] != 0x16 else { return false }
      bytes += buffer[..<count]
      return true
    }
    let end = Array("\r\n\r\n".utf8)
    var place: Range<Int>?
    while place == nil {
      guard more() else { return nil }
      place = bytes.firstRange(of: end)
    }
    guard let place else { return nil }
    let lines = String(decoding: bytes[..<place.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ").map(String.init)
    var request = Request(method: words[0], path: words[1], headers: [:], body: [])
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      request.headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
        in: .whitespaces)
    }
    let length = Int(request.headers["content-length"] ?? "0") ?? 0
    while bytes.count < place.upperBound + length { guard more() else { return nil } }
    request.body = Array(bytes[place.upperBound...])
    return request
  }

  private func send(_ bytes: [UInt8], to connection: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}

extension FaultyServer.Reply {
  /// A file with a version, or what is asked for of it.
  static func file(_ body: [UInt8], tag: String, for request: FaultyServer.Request) -> Self {
    guard let first = request.first, request.headers["if-range"] == tag else {
      return Self(headers: [("ETag", tag)], body: body)
    }
    return Self(
      status: 206, headers: [("ETag", tag), ("Content-Range", "bytes \(first)-\(body.count - 1)/\(body.count)")],
      body: Array(body[first...]))
  }
}
