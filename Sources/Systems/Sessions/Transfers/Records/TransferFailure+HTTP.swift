internal import Files
internal import Glibc
internal import HTTPClient

extension TransferFailure {
  init(_ error: HTTPError) {
    let code: Code =
      switch error.kind {
      case .invalidURL: .unsupportedURL
      case .invalidRequest: .badURL
      case .couldNotResolve: .cannotFindHost
      case .refused, .forbiddenAddress, .unreachable: .cannotConnectToHost
      case .timedOut: .timedOut
      case .tls: .secureConnectionFailed
      case .connectionLost: .networkConnectionLost
      case .invalidResponse, .undecodableBody: .badServerResponse
      case .tooLarge: .dataLengthExceedsMaximum
      case .badRedirect: .redirectToNonExistentLocation
      case .cancelled: .cancelled
      }
    self.init(code, error.message, recovery: error.recovery)
  }

  /// A file that takes no more.
  init(writing error: SystemError) {
    switch error.number {
    case EDQUOT, EFBIG:
      self.init(
        .dataLengthExceedsMaximum, "The file is larger than this user may store: \(error).",
        recovery: "Remove files that are no longer needed.")
    case ENOSPC:
      self.init(.cannotWriteToFile, "The disk is full.", recovery: "Free space on the disk.")
    default:
      self.init(
        .cannotWriteToFile, "The file cannot be written: \(error).",
        recovery: "Download to another folder; \"dmesg\" shows errors of the disk.")
    }
  }

  static let timedOut = TransferFailure(
    .timedOut, "The task did not end within the time of the session.",
    recovery: "Add the task again, or allow more time.")
}

extension HTTPError.Kind {
  /// Whether another attempt may succeed without any action of the user.
  var isTransient: Bool {
    switch self {
    case .couldNotResolve, .refused, .unreachable, .timedOut, .connectionLost: true
    case .invalidURL, .invalidRequest, .forbiddenAddress, .tls, .invalidResponse, .undecodableBody, .tooLarge,
      .badRedirect, .cancelled:
      false
    }
  }

  /// Whether the server was not reached at all.
  var isUnconnected: Bool { self == .couldNotResolve || self == .refused || self == .unreachable }
}
