/// The numbers that this module itself sends or makes. JSON-RPC 2.0, section 5.1, gives -32700 to -32600;
/// -32000 to -32099 are the implementation's; -32800 is the Language Server Protocol's "request cancelled".
extension ErrorObject {
  /// The bytes are no JSON.
  public static let parseErrorCode = -32700
  /// JSON, but no request; a batch.
  public static let invalidRequestCode = -32600
  public static let methodNotFoundCode = -32601
  public static let invalidParamsCode = -32602
  public static let internalErrorCode = -32603
  /// The handler threw an error without a code of its own.
  public static let handlerFailedCode = -32000
  /// The peer hung up, or the connection was closed, before the answer.
  public static let peerExitedCode = -32001
  public static let notInitializedCode = -32002
  public static let alreadyInitializedCode = -32003
  public static let frameTooLargeCode = -32004
  /// Too many requests in flight, or too many bytes waiting to be sent.
  public static let queueFullCode = -32005
  public static let deadlineExceededCode = -32006
  public static let shuttingDownCode = -32007
  /// The handler's result cannot be written as JSON.
  public static let responseUnserialisableCode = -32008
  public static let streamUnknownCode = -32009
  public static let protocolViolationCode = -32010
  public static let cancelledCode = -32800

  public static func parseError(_ message: String) -> ErrorObject { .init(code: parseErrorCode, message: message) }
  public static func invalidRequest(_ message: String) -> ErrorObject {
    .init(code: invalidRequestCode, message: message)
  }
  public static func methodNotFound(_ method: String) -> ErrorObject {
    .init(code: methodNotFoundCode, message: "There is no method \(method).")
  }
  public static func invalidParams(_ message: String, data: JSONValue? = nil) -> ErrorObject {
    .init(code: invalidParamsCode, message: message, data: data)
  }
  public static func internalError(_ message: String) -> ErrorObject {
    .init(code: internalErrorCode, message: message)
  }
  public static func handlerFailed(_ message: String) -> ErrorObject {
    .init(code: handlerFailedCode, message: message)
  }
  public static func peerExited(_ message: String, data: JSONValue? = nil) -> ErrorObject {
    .init(code: peerExitedCode, message: message, data: data)
  }
  public static func frameTooLarge(_ message: String) -> ErrorObject {
    .init(code: frameTooLargeCode, message: message)
  }
  public static func queueFull(_ message: String) -> ErrorObject { .init(code: queueFullCode, message: message) }
  public static func deadlineExceeded(_ message: String) -> ErrorObject {
    .init(code: deadlineExceededCode, message: message)
  }
  public static func responseUnserialisable(_ message: String) -> ErrorObject {
    .init(code: responseUnserialisableCode, message: message)
  }
  public static func streamUnknown(_ message: String) -> ErrorObject {
    .init(code: streamUnknownCode, message: message)
  }
  public static func protocolViolation(_ message: String) -> ErrorObject {
    .init(code: protocolViolationCode, message: message)
  }
  public static func cancelled(_ message: String = "The request was cancelled.") -> ErrorObject {
    .init(code: cancelledCode, message: message)
  }
}
