import JSON
import Contracts
public import ExtensionProtocol
public import ExtensionRuntime

extension ExtensionContext {
  /// Tells the host of a symbol that an extension cannot use, and stops there.
  ///
  /// Call it where a function failed with `EPERM` or `ENOSYS`, or before code that was written for apps: the host's log
  /// names the symbol then, and the error says what to use in its place.
  ///
  /// - Parameter symbol: the name of a C function, of a library, or of a Swift module, of at most 256 bytes.
  /// - Throws: `apiUnavailable` when extensions must not use it; its recovery names the replacement, and `symbol` is in its
  ///   details.
  public func requireAPI(_ symbol: String) async throws(ExtensionError) {
    let answer = try await call(API.Report(symbol: symbol))
    guard !answer.allowed else { return }
    let beginning = "Extensions cannot use \(symbol)."
    throw ExtensionError(
      .apiUnavailable, answer.reason.map { "\(beginning) \($0)" } ?? beginning, recovery: answer.replacement,
      details: ["symbol": .string(symbol)])
  }
}
