import GRPC
package import JSON
import ProtocolBuffers

/// `ExecuteQueryResponse`, `ExecuteMutationResponse` and `StreamResponse`, from the JSON of the same response.
package enum ResponseMessage {
  /// Returns the answer to a call.
  ///
  /// - Parameter response: an object with `data`, `errors` and `extensions`.
  package static func unary(_ response: JSONValue) -> [UInt8] {
    var writer = ProtobufWriter()
    writeExtensions(response, field: 3, to: &writer)
    writeErrors(response, field: 2, to: &writer)
    writeData(response, field: 1, to: &writer)
    return writer.bytes
  }

  /// Returns a message of a stream.
  ///
  /// - Parameters:
  ///   - response: an object with `data`, `errors`, `extensions`, `dataEtag` and `cancelled`.
  ///   - request: the client's name for the request; nil for what is about none.
  package static func stream(_ response: JSONValue, request: String?) -> [UInt8] {
    var writer = ProtobufWriter()
    writeExtensions(response, field: 6, to: &writer)
    if response["cancelled"]?.boolValue == true { writer.varint(1, field: 5) }
    if let etag = response["dataEtag"]?.stringValue { writer.text(etag, field: 4) }
    writeErrors(response, field: 3, to: &writer)
    writeData(response, field: 2, to: &writer)
    if let request { writer.text(request, field: 1) }
    return writer.bytes
  }

  private static func writeData(_ response: JSONValue, field: Int, to writer: inout ProtobufWriter) {
    guard let data = response["data"]?.objectValue else { return }
    writer.message(field: field) { ProtobufStruct.write(data, to: &$0) }
  }

  /// `GraphqlError`.
  private static func writeErrors(_ response: JSONValue, field: Int, to writer: inout ProtobufWriter) {
    for error in (response["errors"]?.arrayValue ?? []).reversed() {
      writer.message(field: field) { message in
        let code = error["extensions"]?["code"]?.stringValue.flatMap { GRPCCode(name: $0) }
        let details = error["extensions"]?["debugDetails"]?.stringValue
        if code != nil || details != nil {
          message.message(field: 4) { extensions in
            if let details { extensions.text(details, field: 3) }
            if let code { extensions.varint(UInt64(code.rawValue), field: 2) }
          }
        }
        writeList(error["path"], field: 3, to: &message)
        for location in (error["locations"]?.arrayValue ?? []).reversed() {
          message.message(field: 2) { place in
            writeNumber(location["column"], field: 2, to: &place)
            writeNumber(location["line"], field: 1, to: &place)
          }
        }
        if let text = error["message"]?.stringValue { message.text(text, field: 1) }
      }
    }
  }

  /// A number of 32 bits that is not negative, as those of `SourceLocation` are; another one is left out.
  private static func writeNumber(_ value: JSONValue?, field: Int, to writer: inout ProtobufWriter) {
    guard let number = value?.integerValue.flatMap({ Int32(exactly: $0) }), number > 0 else { return }
    writer.varint(UInt64(number), field: field)
  }

  /// `GraphqlResponseExtensions`.
  private static func writeExtensions(_ response: JSONValue, field: Int, to writer: inout ProtobufWriter) {
    guard let notes = response["extensions"]?["dataConnect"]?.arrayValue else { return }
    writer.message(field: field) { extensions in
      for note in notes.reversed() {
        extensions.message(field: 1) { properties in
          for id in (note["entityIds"]?.arrayValue ?? []).reversed() {
            properties.text(id.stringValue ?? "", field: 3)
          }
          if let id = note["entityId"]?.stringValue { properties.text(id, field: 2) }
          writeList(note["path"], field: 1, to: &properties)
        }
      }
    }
  }

  private static func writeList(_ value: JSONValue?, field: Int, to writer: inout ProtobufWriter) {
    guard let values = value?.arrayValue else { return }
    writer.message(field: field) { ProtobufStruct.write(values, to: &$0) }
  }
}
