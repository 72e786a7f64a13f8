import DataConnectMessages
import EventLoop
import Files
import GRPC
import HTTPServer
import JSON
import Synchronization
import TestPrograms
import TestSupport
import Testing

/// curl as a client of gRPC, for one message and its answer.
struct RemoteClient: Sendable {
  struct Answer: Sendable {
    /// The lines of the header and of the trailers, as curl prints them.
    let lines: [String]
    let body: [UInt8]

    func field(_ name: String) -> String? {
      lines.first { $0.lowercased().hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
    }

    var status: Int? { lines.first.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) } }
    var code: Int? { field("grpc-status").flatMap { Int($0) } }
  }

  static let connector = "projects/demo/locations/us-east4/services/films/connectors/movies"
  private static let service = "/google.firebase.dataconnect.v1.ConnectorService/"
  let emulator: TestEmulator

  /// Sends a whole body.
  func send(
    _ path: String, _ body: [UInt8], method: String = "POST", headers: [String: String] = [:]
  ) async throws -> Answer {
    let folder = try Folder.makeTemporary(beginning: "/tmp/annex-curl-")
    defer { try? Folder.remove(folder) }
    try File.replace("\(folder)/in", with: body)
    var headers = headers
    if headers["content-type"] == nil { headers["content-type"] = "application/grpc" }
    let fields = headers.map { "-H '\($0.key): \($0.value)'" }.joined(separator: " ")
    let command =
      "curl -s --max-time 20 --http2-prior-knowledge -X \(method) -D - -o \(folder)/out \(fields)"
      + " --data-binary @\(folder)/in \(emulator.address.url)\(path)"
    let output = try await Self.run(command)
    let lines = output.split(whereSeparator: \.isNewline).map { String($0) }
    return Answer(lines: lines, body: (try? File.read("\(folder)/out", limit: 1 << 24)) ?? [])
  }

  private static func run(_ command: String) async throws -> String {
    try await SystemThread.run(name: "curl") { Result { try ShellCommand.output(of: command).text } }.get()
  }

  /// Calls an operation.
  func call(
    _ method: String, _ operation: String, _ variables: JSONObject = [:], connector: String = connector,
    headers: [String: String] = [:]
  ) async throws -> Answer {
    let message = OperationMessage(connector: connector, operation: operation, variables: variables)
    return try await send(Self.service + method, GRPCMessageReader.framed(message.bytes), headers: headers)
  }
}

/// A stream by frames that are written by hand.
final class RemoteStreamClient: Sendable {
  private let client: RawClient
  /// What has come, and how much of it was looked at.
  private let heard = Mutex<(bytes: [UInt8], seen: Int)>(([], 0))

  init(_ emulator: TestEmulator, headers: [(String, String)] = []) throws {
    client = try RawClient(port: emulator.address.port)
    let header = HTTP2Frame.request(
      "/google.firebase.dataconnect.v1.ConnectorStreamService/Connect",
      more: [("content-type", "application/grpc"), ("te", "trailers")] + headers)
    client.send(
      HTTP2Frame.start() + HTTP2Frame.bytes(.headers, flags: HTTP2Frame.endHeaders, stream: 1, header))
  }

  func send(_ message: StreamRequestMessage) {
    send(GRPCMessageReader.framed(message.bytes))
  }

  func send(_ bytes: [UInt8]) { client.send(HTTP2Frame.bytes(.data, stream: 1, bytes)) }

  func finish() { client.send(HTTP2Frame.bytes(.data, flags: HTTP2Frame.endStream, stream: 1)) }
  func reset() { client.send(HTTP2Frame.bytes(.reset, stream: 1, HTTP2Frame.number(8))) }

  /// Whether a text comes behind what was heard last, and another one not before it.
  func hears(_ text: String, before other: String? = nil) async -> Bool {
    let (text, before) = (Array(text.utf8), heard.withLock { $0 })
    let old = Array(before.bytes[before.seen...])
    let all = old + (await client.receivedBytes { (old + $0).firstRange(of: text) != nil })
    let end = all.firstRange(of: text)?.upperBound
    heard.withLock { $0 = (before.bytes.prefix(before.seen) + all, before.seen + (end ?? 0)) }
    guard let end else { return false }
    return other.map { all[..<end].firstRange(of: Array($0.utf8)) == nil } ?? true
  }

  /// The compressed fields of the frame that ended the stream.
  var trailers: [UInt8] {
    HTTP2Frame.all(in: heard.withLock { $0.bytes }).frames.last(where: \.endsStream)?.payload ?? []
  }

  /// Whether the server ends the stream.
  func ends() async -> Bool {
    let before = heard.withLock { $0.bytes }
    let isEnd: @Sendable ([UInt8]) -> Bool = { new in HTTP2Frame.all(in: before + new).frames.contains { $0.endsStream }
    }
    let new = await client.receivedBytes(until: isEnd)
    heard.withLock { $0.bytes += new }
    return isEnd(new)
  }
}
