import JSON

/// Why a connection ended.
package enum CloseReason: Error, Sendable, Hashable {
  /// This side was done.
  case finished
  /// The task that ran the connection was cancelled.
  case cancelled
  /// The peer closed its end, or is gone.
  case peerClosed
  /// The stream cannot be divided into messages any more.
  case protocolViolation(FramingError)
  /// A message was begun and not ended in time.
  case partialMessage(Duration)
  /// The peer took nothing of what was sent for so long.
  case writeStalled(Duration)
  /// The peer sends requests and does not read the answers: more waits than the limit and one message.
  case outgoingQueueFull(limit: Int)
  /// The peer continued to send notifications beyond its limit.
  case notificationFlood(NotificationLimit)
  /// This side keeps more for the peer than it may.
  case ledgerExceeded(PeerLedger.Excess)
  case readFailed(errno: Int32)
  case writeFailed(errno: Int32)
}

extension CloseReason: CustomStringConvertible {
  /// One sentence for a log.
  package var description: String {
    switch self {
    case .finished: "The connection was closed by this side."
    case .cancelled: "The connection was cancelled by this side."
    case .peerClosed: "The peer closed the connection."
    case .protocolViolation(let error): "The peer broke the protocol. \(error)"
    case .partialMessage(let limit): "The peer began a message and did not end it within \(limit)."
    case .writeStalled(let limit): "The peer read nothing for \(limit)."
    case .outgoingQueueFull(let limit): "The peer does not read: more than \(limit) bytes wait for it."
    case .notificationFlood(let limit):
      "The peer sent more than \(limit.perSecond) notifications and refused requests a second for more than "
        + "\(limit.grace)."
    case .ledgerExceeded(let excess): "The peer was cut off: \(excess)."
    case .readFailed(let errno): "Reading from the peer failed with errno \(errno)."
    case .writeFailed(let errno): "Writing to the peer failed with errno \(errno)."
    }
  }

  /// A short stable word, for `data.reason` of the error object.
  package var name: String {
    switch self {
    case .finished: "finished"
    case .cancelled: "cancelled"
    case .peerClosed: "peerClosed"
    case .protocolViolation: "protocolViolation"
    case .partialMessage: "partialMessage"
    case .writeStalled: "writeStalled"
    case .outgoingQueueFull: "outgoingQueueFull"
    case .notificationFlood: "notificationFlood"
    case .ledgerExceeded: "ledgerExceeded"
    case .readFailed: "readFailed"
    case .writeFailed: "writeFailed"
    }
  }

  /// What calls that wait for an answer fail with.
  package var errorObject: ErrorObject {
    .peerExited(description, data: .object(["reason": .string(name)]))
  }

  /// Whether what waits to be sent may still be sent: the peer may be reading although it writes no more.
  var allowsSending: Bool { self == .finished || self == .peerClosed }
}
