/// How much a journal keeps.
package struct JournalLimits: Sendable {
  package var sessionsPerApp = 64
  /// Tasks of one session, those included that are over but not acknowledged. What a task has to tell is bounded, and so
  /// this bounds the events too.
  package var tasksPerSession = 1_000
  /// Bytes of the copies of all that one app uploads.
  package var sourceBytesPerApp: Int64 = 64 << 30
  /// Bytes of a request: its URL and its header.
  package var requestBytes = 64 << 10
  /// Pages of 4 KiB that the journal's file may have.
  package var pages = 65_536

  package init() {}
}
