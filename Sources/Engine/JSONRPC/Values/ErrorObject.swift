public import JSON

/// The error object of JSON-RPC 2.0, section 5.1: what a request fails with.
public struct ErrorObject: Error, Sendable, Hashable {
  /// See the named codes of this type; others belong to the peer.
  public var code: Int
  /// What happened, in one sentence.
  public var message: String
  /// What the sender adds for programs; its shape depends on the code.
  public var data: JSONValue?

  /// - Parameters:
  ///   - code: a named code of this type, or one of the peer's own.
  ///   - message: one sentence.
  ///   - data: for programs; `nil` leaves the member out, `.null` sends a null.
  public init(code: Int, message: String, data: JSONValue? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }
}

extension ErrorObject: Codable {
  private enum CodingKeys: String, CodingKey { case code, message, data }

  /// Reads `{code, message, data?}`. A null in `data` is kept: it differs from an absent member.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    code = try container.decode(Int.self, forKey: .code)
    message = try container.decode(String.self, forKey: .message)
    // A null is a value: `decodeIfPresent` would lose it.
    data = container.contains(.data) ? try container.decode(JSONValue.self, forKey: .data) : nil
  }

  /// Writes `{code, message, data?}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(code, forKey: .code)
    try container.encode(message, forKey: .message)
    if let data { try container.encode(data, forKey: .data) }
  }
}

extension ErrorObject: CustomStringConvertible {
  /// The message with the code and, if there is any, the data.
  public var description: String { data.map { "\(message) (\(code), \($0))" } ?? "\(message) (\(code))" }
}

/// An error that knows its form on the wire: a handler that throws one decides the whole answer.
public protocol ErrorObjectConvertible: Error {
  /// What the request is answered with.
  var errorObject: ErrorObject { get }
}

extension ErrorObject: ErrorObjectConvertible {
  /// The error itself.
  public var errorObject: ErrorObject { self }
}

extension ErrorObject {
  /// What the error takes in memory, in bytes, about.
  package var weight: Int { message.utf8.count + (data?.weight ?? 0) }
}
