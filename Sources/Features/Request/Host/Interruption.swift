import Contracts
public import ExtensionProtocol
import JSON

extension ExtensionError {
  /// The error with the code that a host app knows for it, in `details` under `domain` and `code`: an extension that
  /// exited is an interrupted connection (`NSXPCConnectionInterrupted`, 4097), one that could not be started an invalid
  /// one (`NSXPCConnectionInvalid`, 4099).
  public var asInterruption: ExtensionError {
    let number: Int64
    switch code {
    case .peerExited: number = 4097
    case .launchFailed, .sandboxUnavailable: number = 4099
    default: return self
    }
    var error = self
    error.details["domain"] = "NSCocoaErrorDomain"
    error.details["code"] = .integer(number)
    return error
  }
}

extension Request.Cancel.Failure {
  /// Creates the reason that an extension receives when its request is withdrawn. A cancellation is reported as the
  /// user's.
  init(withdrawing error: ExtensionError) {
    if error.code == .cancelled {
      self = .userCancelled
    } else {
      self.init(domain: "ExtensionErrorDomain", code: error.code.number, localizedDescription: error.message)
    }
  }
}
