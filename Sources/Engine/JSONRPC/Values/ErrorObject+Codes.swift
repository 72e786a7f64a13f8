public import JSON

/// The numbers that this module itself sends or makes. JSON-RPC 2.0, section 5.1, gives -32700 to -32600;
/// -32000 to -32099 are the implementation's, and those that are missing here are of the handshake; -32800 is the
/// Language Server Protocol's "request cancelled".
extension ErrorObject {
  /// The bytes are no JSON.
  public static let parseErrorCode = -32700
  /// JSON, but no request; a batch.
  public static let invalidRequestCode = -32600
  /// The peer does not serve the method.
  public static let methodNotFoundCode = -32601
  /// The params have another shape than the method demands; `data.path` may name the place.
  public static let invalidParamsCode = -32602
  /// The peer has a fault of its own.
  public static let internalErrorCode = -32603
  /// The handler threw an error without a code of its own.
  public static let handlerFailedCode = -32000
  /// The peer hung up, or the connection was closed, before the answer.
  public static let peerExitedCode = -32001
  /// A message is longer than the connection allows.
  public static let frameTooLargeCode = -32004
  /// Too many requests in flight, or too many bytes waiting to be sent.
  public static let queueFullCode = -32005
  /// No answer came within the time that the caller gave.
  public static let deadlineExceededCode = -32006
  /// The handler's result cannot be written as JSON.
  public static let responseUnserialisableCode = -32008
  /// The stream does not exist, has ended, or is being read already.
  public static let streamUnknownCode = -32009
  /// The peer broke a rule of the protocol, or answered with another shape than the method has.
  public static let protocolViolationCode = -32010
  /// The caller cancelled the request (the Language Server Protocol's `RequestCancelled`).
  public static let cancelledCode = -32800

  /// An error with ``parseErrorCode``.
  public static func parseError(_ message: String) -> ErrorObject { .init(code: parseErrorCode, message: message) }
  /// An error with ``invalidRequestCode``.
  public static func invalidRequest(_ message: String) -> ErrorObject {
    .init(code: invalidRequestCode, message: message)
  }
  /// An error with ``methodNotFoundCode``.
  ///
  /// - Parameter method: the name that was called.
  public static func methodNotFound(_ method: String) -> ErrorObject {
    .init(code: methodNotFoundCode, message: "There is no method \(method).")
  }
  /// An error with ``invalidParamsCode``.
  ///
  /// - Parameter data: `path` is the key path of the fault, where it is known.
  public static func invalidParams(_ message: String, data: JSONValue? = nil) -> ErrorObject {
    .init(code: invalidParamsCode, message: message, data: data)
  }
  /// An error with ``internalErrorCode``.
  public static func internalError(_ message: String) -> ErrorObject {
    .init(code: internalErrorCode, message: message)
  }
  /// An error with ``handlerFailedCode``.
  public static func handlerFailed(_ message: String) -> ErrorObject {
    .init(code: handlerFailedCode, message: message)
  }
  /// An error with ``peerExitedCode``.
  ///
  /// - Parameter data: `reason` is a stable word for how the connection ended.
  public static func peerExited(_ message: String, data: JSONValue? = nil) -> ErrorObject {
    .init(code: peerExitedCode, message: message, data: data)
  }
  /// An error with ``frameTooLargeCode``.
  public static func frameTooLarge(_ message: String) -> ErrorObject {
    .init(code: frameTooLargeCode, message: message)
  }
  /// An error with ``queueFullCode``.
  public static func queueFull(_ message: String) -> ErrorObject { .init(code: queueFullCode, message: message) }
  /// An error with ``deadlineExceededCode``.
  public static func deadlineExceeded(_ message: String) -> ErrorObject {
    .init(code: deadlineExceededCode, message: message)
  }
  /// An error with ``responseUnserialisableCode``.
  public static func responseUnserialisable(_ message: String) -> ErrorObject {
    .init(code: responseUnserialisableCode, message: message)
  }
  /// An error with ``streamUnknownCode``.
  public static func streamUnknown(_ message: String) -> ErrorObject {
    .init(code: streamUnknownCode, message: message)
  }
  /// An error with ``protocolViolationCode``.
  public static func protocolViolation(_ message: String) -> ErrorObject {
    .init(code: protocolViolationCode, message: message)
  }
  /// An error with ``cancelledCode``.
  public static func cancelled(_ message: String = "The request was cancelled.") -> ErrorObject {
    .init(code: cancelledCode, message: message)
  }
}
