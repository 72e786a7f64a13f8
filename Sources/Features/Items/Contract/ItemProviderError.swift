public import ExtensionProtocol
import JSON

/// The errors of item providers, in the domain `NSItemProviderErrorDomain`.
public enum ItemProviderError: Int64, Sendable, CaseIterable {
  /// The attachment cannot be loaded, for a reason that has no code of its own.
  case unknown = -1
  /// There is no such attachment, or it cannot be had any more.
  case itemUnavailable = -1000
  /// The value is not what its type says.
  case unexpectedValueClass = -1100
  /// The attachment cannot be turned into the type asked for.
  case unavailableCoercion = -1200

  /// The error as it crosses the wire.
  public func error(_ message: String) -> ExtensionError {
    ExtensionError(
      .framework, message,
      details: [
        "domain": "NSItemProviderErrorDomain", "code": .integer(rawValue), "localizedDescription": .string(message),
      ])
  }
}
