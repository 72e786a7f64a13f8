package import JSON

/// A request or notification, while it is being accepted.
package struct IncomingMessage: ~Copyable {
  /// The id of a request; `nil` for a notification, which has no answer.
  package let id: RequestID?
  /// The method.
  package let method: String
  /// The params, not decoded yet.
  package let params: RawParams
  /// The member `_meta` of the params.
  package var meta: MessageMeta? { carried?.meta }

  private let carried: CarriedMeta?

  init(id: RequestID?, method: String, params: consuming RawParams, meta: CarriedMeta?) {
    self.id = id
    self.method = method
    carried = meta
    self.params = params
  }
}

/// The outcome of reading the params of a message.
struct ParamsReading {
  var wasRead = false
  /// How many values were made of them, members' names among them.
  var values = 0
}

/// The params of a message as unchecked bytes. Valid only while the message is being accepted.
///
/// `@safe`, because: the value cannot be copied out of its message, which `accept` borrows for one call.
@safe
package struct RawParams: ~Copyable {
  private let bytes: UnsafeRawBufferPointer
  private let maximumDepth: Int
  /// Set by the code that reads, and so checks, the params. Params that were not read are checked afterwards.
  private let reading: UnsafeMutablePointer<ParamsReading>
  /// Whether the message has the member at all.
  package let isPresent: Bool

  @unsafe init(_ bytes: UnsafeRawBufferPointer?, maximumDepth: Int, reading: UnsafeMutablePointer<ParamsReading>) {
    isPresent = unsafe bytes != nil
    unsafe self.bytes = bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
    self.maximumDepth = maximumDepth
    unsafe self.reading = reading
  }

  /// Bytes of JSON text.
  package var count: Int { unsafe bytes.count }

  /// The params as a typed value. Absent params are an empty object.
  ///
  /// - Throws: invalid params (-32602) with the key path in `data.path`; a parse error (-32700) when they are no JSON.
  package func decode<Value: Decodable>(_ type: Value.Type) throws(ErrorObject) -> Value {
    unsafe reading.pointee.wasRead = true
    do {
      if isPresent {
        return try unsafe JSONCoding.decode(
          type, from: bytes, maximumDepth: maximumDepth, counting: &reading.pointee.values)
      }
      return try JSONCoding.decode(type, from: [0x7B, 0x7D])
    } catch {
      throw ErrorObject(decodingParams: error)
    }
  }

  /// The params as any value; `nil` when they are absent.
  package func value() throws(ErrorObject) -> JSONValue? {
    unsafe reading.pointee.wasRead = true
    guard isPresent else { return nil }
    do {
      let value = try unsafe JSONCoding.parse(bytes, maximumDepth: maximumDepth)
      unsafe reading.pointee.values = value.weight / JSONValue.bytesOfValue
      return value
    } catch {
      throw ErrorObject(decodingParams: error)
    }
  }
}

extension ErrorObject {
  /// Text that is no JSON is a parse error; JSON of another shape is invalid params.
  init(decodingParams error: any Error) {
    switch error {
    case let error as JSONError:
      switch error.reason {
      case .mismatch, .missingMember: self = .invalidParams(error.description)
      default: self = .parseError("In the params: \(error)")
      }
    case let error as DecodingError:
      let (path, description) = error.pathAndDescription
      let message = path.isEmpty ? description : "\(path): \(description)"
      self = .invalidParams(message, data: .object(["path": .string(path)]))
    case let error as any ErrorObjectConvertible: self = error.errorObject
    default: self = .invalidParams("\(error)")
    }
  }
}
