/// The steps of a durable write at which a test may end the process.
package enum CrashPoint: String, Sendable, CaseIterable {
  case gateTaken, begun, changed, beforeCommit, committed, notified, gateGiven
}
