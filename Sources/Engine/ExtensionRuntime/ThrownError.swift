import ExtensionProtocol
import Glibc
import JSONRPC

/// What an author is told of an error that a handler threw and did not expect: a line on standard error, which the host shows
/// and keeps.
package enum ThrownError {
  /// Writes what was thrown, and where from. Errors that answer with a code of their own, and cancellations, are no news.
  ///
  /// - Parameter method: what the handler served.
  package static func report(_ error: any Error, serving method: String) {
    guard let line = line(of: error, serving: method) else { return }
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  }

  /// The line; `nil` for an error that is no news.
  package static func line(of error: any Error, serving method: String) -> String? {
    switch error {
    case is CancellationError, is any ErrorObjectConvertible: nil
    default: "\(method) threw \(String(reflecting: type(of: error))): \(error)\n"
    }
  }
}
