public import Contracts
import ExtensionProtocol
public import ExtensionRuntime

extension ExtensionContext {
  /// Waits until a document may be used, runs the body, and gives it free. The host ends the wait: when the provider fails
  /// or falls silent, or when others use the document for too long.
  ///
  /// - Parameters:
  ///   - path: relative to the document storage.
  ///   - intent: what the body does to the document.
  ///   - options: what the caller does without.
  ///   - purposeIdentifier: the file provider's, when it need not hear of the change.
  ///   - body: uses the document; it is given free when this returns or throws.
  /// - Throws: the provider's error when a document that is to be read cannot be provided; `deadlineExceeded` when others
  ///   use it for too long; what the body throws.
  public func coordinate<Result>(
    _ path: String, for intent: FileProvider.Intent, options: FileProvider.Coordinate.Options? = nil,
    purposeIdentifier: String? = nil, _ body: () async throws -> Result
  ) async throws -> Result {
    let claim = try await call(
      FileProvider.Coordinate(path: path, intent: intent, options: options, purposeIdentifier: purposeIdentifier),
      deadline: .seconds(3600))
    let outcome: Swift.Result<Result, any Error>
    do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
    _ = try await call(FileProvider.Uncoordinate(token: claim.token))
    return try outcome.get()
  }
}
