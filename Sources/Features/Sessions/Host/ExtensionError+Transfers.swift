import Contracts
import ExtensionProtocol
import JSON
import Transfers

extension ExtensionError {
  /// Translates an error of the journal into one for the wire.
  init(_ error: TransferError) {
    switch error {
    case .noSession, .stale, .disconnected: self = .session(.wasDisconnected, error.description)
    case .noTask: self.init(.invalidParams, error.description, recovery: error.recovery)
    case .quota(_, let limit):
      self.init(
        .limitExceeded, error.description, recovery: error.recovery, details: ["limit": .integer(Int64(limit))])
    case .runsElsewhere: self.init(.serviceUnavailable, error.description, recovery: error.recovery)
    case .source: self.init(.storeFailed, error.description, recovery: error.recovery)
    case .unavailable(_, _, let isRetryable):
      self.init(
        .storeFailed, error.description, recovery: error.recovery, details: ["retryable": .bool(isRetryable)])
    case .corrupt(_, let setAside):
      self.init(
        .storeFailed, error.description, recovery: error.recovery,
        details: setAside.map { ["setAside": .string($0)] } ?? [:])
    }
  }
}

/// Runs what a journal does, with its errors in the terms of the wire.
func translatingTransferErrors<Value>(
  _ body: () async throws(TransferError) -> Value
) async throws(ExtensionError) -> Value {
  do { return try await body() } catch { throw ExtensionError(error) }
}
