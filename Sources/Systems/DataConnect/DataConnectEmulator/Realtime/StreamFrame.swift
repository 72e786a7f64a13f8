import JSON
import Text

/// A message of a client on a stream.
struct StreamFrame: Sendable {
  enum Action: Sendable {
    case subscribe(OperationCall)
    case execute(OperationCall)
    case resume
    case cancel
  }

  /// The client's name for the request; `nil` for a message that only sets header fields.
  let request: String?
  /// The connector, where the frame names one.
  let connector: String?
  /// The token, if the message has one; empty to continue without one.
  let token: String?
  let etag: String?
  let action: Action?

  /// - Throws: `invalidArgument` for what is no frame.
  init(_ text: String) throws(RequestFailure) {
    guard let value = try? JSONCoding.parse(text), case .object(let frame) = value else {
      throw RequestFailure(.invalidArgument, "A frame is not an object of JSON.")
    }
    request = frame["requestId"]?.stringValue
    if let request, request.utf8.count > 512 { throw RequestFailure(.invalidArgument, "\"requestId\" is too long.") }
    connector = frame["name"]?.stringValue.flatMap(Self.connector)
    token = Self.token(frame["headers"])
    etag = frame["dataEtag"]?.stringValue
    if let body = frame["subscribe"] {
      action = .subscribe(try OperationCall(body))
    } else if let body = frame["execute"] {
      action = .execute(try OperationCall(body))
    } else if frame["resume"] != nil {
      action = .resume
    } else if frame["cancel"] != nil {
      action = .cancel
    } else {
      action = nil
    }
    if action != nil, request == nil { throw RequestFailure(.invalidArgument, "\"requestId\" is missing.") }
  }

  /// The last part of `projects/P/locations/L/services/S/connectors/C`.
  private static func connector(_ name: String) -> String? {
    let parts = name.pathParts(keepsEmpty: true)
    guard parts.count == 8, parts[6] == "connectors" else { return nil }
    return String(parts[7])
  }

  private static func token(_ fields: JSONValue?) -> String? {
    guard case .object(let fields) = fields else { return nil }
    for (name, value) in fields where name.lowercased() == "x-firebase-auth-token" {
      return value.stringValue ?? ""
    }
    return nil
  }
}
