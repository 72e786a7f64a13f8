import GroupStore
import PostgreSQL

/// What PostgreSQL reports, in the store's terms.
enum PostgreSQLFailure {
  static func translate(_ error: PostgreSQLError, isWrite: Bool, _ target: PostgreSQLTarget) -> GroupStoreError {
    var message = "The group store (\(target)) failed: \(error.message)"
    if isWrite, error.isOutcomeUnknown { message += " Whether the write was stored is not known." }
    return .unavailable(
      message, recovery: error.recovery,
      isRetryable: error.isRetryable || error.kind == .timedOut)
  }

  static func noAnswer(_ target: PostgreSQLTarget) -> GroupStoreError {
    .unavailable(
      "The group store (\(target)) gave no answer that is understood.",
      recovery: "Use one version of this program on all machines.", isRetryable: false)
  }
}
