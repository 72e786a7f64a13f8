/// A task as the journal keeps it.
package struct TransferRecord: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable { case download, upload }

  package enum State: String, Sendable, CaseIterable {
    case waiting, running, backingOff, completed, failed, cancelled

    /// Whether nothing more is done for the task.
    package var isOver: Bool { self == .completed || self == .failed || self == .cancelled }
  }

  /// The beginning of a file that was received. All of it is of one version: who finds another version on the server
  /// begins another part.
  package struct Part: Sendable, Equatable, Codable {
    /// The name of the file, in the journal's folder of parts.
    package var name: String
    /// What tells this version of the file from others; `nil` when the server gave nothing that can be relied on.
    package var validator: String?
    /// The bytes that were received.
    package var bytes: Int64
    /// The bytes that a loss of power leaves.
    package var durableBytes: Int64
    /// The bytes that the whole file has; `nil` as long as that is unknown.
    package var total: Int64?
    /// The start of the machine in which the bytes were received.
    package var boot: String
    /// The status with which the server sent them.
    package var response: TransferResponse?
    /// Whether the file is whole, and being moved to where it belongs.
    package var isMoving = false
  }

  package let id: Int64
  package let session: SessionKey
  package let kind: Kind
  package var request: TransferRequest
  /// Where a download appears, relative to the container.
  package var destination: String?
  package var sha256: String?
  /// The copy of what is uploaded: its name in the journal's folder.
  package var source: String?
  package var state = State.waiting
  package var bytesDone: Int64 = 0
  package var bytesExpected: Int64?
  /// Attempts in a row that brought nothing.
  package var attempts = 0
  /// How long to wait before the next attempt.
  package var notBefore: Countdown?
  /// When the task is given up.
  package var deadline: Countdown
  package var part: Part?
  /// Whether the owner was told that the server cannot be reached.
  package var hasToldOfWaiting = false
  /// The last status of the server.
  package var status: Int?
}
