/// How a database file is opened.
package struct DatabaseOptions: Sendable {
  /// What survives a loss of power. A crash of the process loses nothing in either mode.
  package enum Durability: String, Sendable {
    /// The last commits may be lost, the file stays whole. About seven times faster.
    case normal = "NORMAL"
    /// Every commit is on the disk before it returns.
    case full = "FULL"
  }

  /// The number that marks a file as ours (`PRAGMA application_id`). Not 0.
  package var applicationID: Int32
  /// Which failures a committed transaction survives.
  package var durability: Durability
  /// How long a statement waits for the lock of another connection before it fails as busy.
  package var busyTimeout: Duration
  /// The most pages the file may have (4096 bytes each); nil is no limit.
  package var maximumPageCount: Int?
  /// Opens an existing file for reading only; no file is made, no migration runs.
  package var isReadOnly: Bool

  /// Creates options. `applicationID` must not be 0, the value of a file without one.
  package init(
    applicationID: Int32, durability: Durability = .normal, busyTimeout: Duration = .seconds(5),
    maximumPageCount: Int? = nil, isReadOnly: Bool = false
  ) {
    precondition(applicationID != 0, "an application id is not 0")
    self.applicationID = applicationID
    self.durability = durability
    self.busyTimeout = busyTimeout
    self.maximumPageCount = maximumPageCount
    self.isReadOnly = isReadOnly
  }
}
