import DataConnectMessages
import GRPC
import HTTP
import HTTP2
import JSON
import ProtocolBuffers

extension FuzzTargets {
  /// Messages that are read are written, read again, and the same.
  static func remoteMessages(_ bytes: [UInt8]) {
    if let message = try? OperationMessage(bytes[...]) {
      precondition((try? OperationMessage(message.bytes[...])) == message, "\(message) does not read back")
    }
    if let message = try? StreamRequestMessage(bytes[...]) {
      precondition((try? StreamRequestMessage(message.bytes[...])) == message, "\(message) does not read back")
    }
    if let value = try? JSONCoding.parse(bytes) {
      _ = ResponseMessage.unary(value)
      _ = ResponseMessage.stream(value, request: "1")
    }
    var reader = GRPCMessageReader(limit: 1 << 12)
    reader.append(bytes)
    while let message = try? reader.next() { precondition(message.count <= 1 << 12) }
    let text = String(decoding: bytes, as: UTF8.self)
    _ = GRPCRequest.timeout(text)
    precondition(GRPCStatus(.unknown, text).trailers.allSatisfy { FieldSyntax.isValue($0.value) })
  }

  /// What a client sends gives the same requests, whether it comes whole or byte by byte, and within the limits.
  static func http2(_ bytes: [UInt8]) {
    var limits = HTTP2Limits()
    (limits.headerListBytes, limits.fields, limits.streams) = (1 << 11, 16, 8)
    let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    func run(_ step: Int) -> [HTTP2Request] {
      HTTP2Replay.run(preface + bytes, by: step, limits: limits) { stream in
        stream.answer([HTTPField("a", "b")], [1, 2, 3], trailers: [HTTPField("c", "d")])
      }.requests
    }
    let (whole, single) = (run(preface.count + bytes.count), run(1))
    for request in whole + single {
      precondition(request.fields.count <= limits.fields)
      precondition(request.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } <= limits.headerListBytes)
    }
  }
}
