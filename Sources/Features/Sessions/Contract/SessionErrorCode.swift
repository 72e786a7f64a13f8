public import ExtensionProtocol
import JSON

/// The codes of `NSURLErrorDomain` that are about sessions themselves, by Apple's names (NSURLError.h).
public enum SessionErrorCode: Int, Sendable, CaseIterable {
  /// A session in the background has to name a container that it shares with the containing app.
  case requiresSharedContainer = -995
  /// Another process has the session, or another bundle of the app made it.
  case inUseByAnotherProcess = -996
  /// Another process has taken the session up meanwhile, or its lease has ended.
  case wasDisconnected = -997

  /// The domain of all of them.
  public static let domain = "NSURLErrorDomain"

  /// The name, for example `inUseByAnotherProcess`.
  public var name: String { "\(self)" }

  /// What the reader can do.
  public var recovery: String {
    switch self {
    case .requiresSharedContainer: "Name an app group of both manifests as sharedContainerIdentifier."
    case .inUseByAnotherProcess: "Use an identifier of your own, or wait for the other process to end."
    case .wasDisconnected: "Create the session again, with the same identifier: its tasks continue meanwhile."
    }
  }
}

extension ExtensionError {
  /// An error of `NSURLErrorDomain` that is about a session, as the host throws it and an author catches it.
  public static func session(_ code: SessionErrorCode, _ message: String) -> ExtensionError {
    ExtensionError(
      .framework, message, recovery: code.recovery,
      details: [
        "domain": .string(SessionErrorCode.domain), "code": .integer(Int64(code.rawValue)),
        "name": .string(code.name), "localizedDescription": .string(message),
      ])
  }

  /// The code, when the error is of `NSURLErrorDomain` and is about a session.
  public var sessionCode: SessionErrorCode? {
    guard code == .framework, details["domain"] == .string(SessionErrorCode.domain),
      case .integer(let number)? = details["code"]
    else { return nil }
    return SessionErrorCode(rawValue: Int(number))
  }
}
