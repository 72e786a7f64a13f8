import ExtensionProtocol
import JSON
import JSONRPC
import JSONSchema

/// The schemas of what no contract has types for: the envelope of messages, streams and cancellation.
enum WireSchemas {
  private typealias Member = JSONSchema.Member

  /// A message that calls a method, as a whole.
  static func message(of method: MethodSchema, _ definitions: SchemaDefinitions) -> JSONSchema {
    let needsParams = method.params.reference.map { definitions[$0]?.required.isEmpty == false } ?? true
    var members = [Member("jsonrpc", .constant("2.0"))]
    if !method.isNotification { members.append(Member("id", .reference("RequestID"))) }
    members += [Member("method", .constant(method.method)), Member("params", method.params)]
    let required = members.map(\.name).filter { $0 != "params" || needsParams }
    return .object(members, required: required)
  }

  /// Those that every message needs.
  static var definitions: [String: JSONSchema] {
    var identifier = JSONSchema.kind(.integer, .string)
    identifier.maxLength = RequestID.maximumStringBytes
    identifier.summary = "The number of a request, which its answer repeats."
    var meta = JSONSchema.object([
      Member("traceparent", .kind(.string)), Member("tracestate", .kind(.string)),
      Member("deadlineMs", .kind(.integer)), Member("progressToken", .reference("RequestID")),
      Member("requestID", .kind(.string)),
    ])
    meta.summary = "The member _meta of the params of any call. A member of another shape is ignored."
    var data = JSONSchema.object([
      Member("name", .kind(.string)), Member("recovery", .kind(.string)), Member("details", .kind(.object)),
      Member("cause", .array(of: .kind(.string))),
    ])
    data.summary = "What this project adds to an error object: the code's name, what its reader can do, facts, causes."
    var response = JSONSchema.object(
      [Member("jsonrpc", .constant("2.0")), Member("id", .reference("RequestID")), Member("result", .anything)],
      required: ["jsonrpc", "id", "result"])
    response.summary = "An answer. What the result is, the method of the request says: <stem>.result."
    let error = JSONSchema.object(
      [
        Member("jsonrpc", .constant("2.0")), Member("id", .any(of: [.reference("RequestID"), .kind(.null)])),
        Member("error", .reference("ErrorObject")),
      ], required: ["jsonrpc", "id", "error"])
    let object = JSONSchema.object(
      [
        Member("code", .kind(.integer)), Member("message", .kind(.string)), Member("data", .reference("ErrorData")),
      ], required: ["code", "message"])
    return [
      "RequestID": identifier, "Meta": meta, "ErrorObject": object, "ErrorData": data, "Response": response,
      "ErrorResponse": error, "StreamID": streamID, "wire.cancelRequest.params": cancellation,
    ].merging(streams.map { ("wire.stream.\($0).params", $1) }) { first, _ in first }
  }

  private static var streamID: JSONSchema {
    var schema = JSONSchema.kind(.string)
    (schema.minLength, schema.maxLength) = (1, StreamMessage.maximumIDBytes)
    return schema
  }

  private static var cancellation: JSONSchema { .object([Member("id", .reference("RequestID"))], required: ["id"]) }

  private static var streams: [(String, JSONSchema)] {
    let id = Member("streamID", .reference("StreamID"))
    var count = JSONSchema.kind(.integer)
    count.minimum = 1
    let end = JSONSchema.object([id, Member("error", .reference("ErrorObject").orNull)], required: ["streamID"])
    var data = JSONSchema.object([id, Member("seq", count)], required: ["streamID", "seq"])
    data.oneOf = [
      .object([Member("data", .kind(.string))], required: ["data"]),
      .object([Member("value", .anything)], required: ["value"]),
    ]
    return [
      ("open", .object([id], required: ["streamID"])), ("data", data),
      ("ack", .object([id, Member("credit", count)], required: ["streamID", "credit"])), ("end", end), ("drop", end),
    ]
  }

  /// The methods that no contract lists.
  static var methods: [MethodSchema] {
    let cancel = MethodSchema(
      "$/cancelRequest", caller: .either, params: .reference("wire.cancelRequest.params"), result: nil)
    return [cancel]
      + streams.map { kind, _ in
        MethodSchema(
          "$/stream/\(kind)", caller: .either, params: .reference("wire.stream.\(kind).params"), result: nil)
      }
  }
}
