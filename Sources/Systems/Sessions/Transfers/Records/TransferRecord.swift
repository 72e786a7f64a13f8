/// A task as the journal stores it.
package struct TransferRecord: Sendable, Equatable {
  /// Whether the task receives or sends a file.
  package enum Kind: String, Sendable, CaseIterable { case download, upload }

  /// The states of a task; the last three are final.
  package enum State: String, Sendable, CaseIterable {
    case waiting, running, backingOff, completed, failed, cancelled

    /// Whether the task has ended, so that nothing more is done for it.
    package var isOver: Bool { self == .completed || self == .failed || self == .cancelled }
  }

  /// The received beginning of a file. All bytes are of one version: when the server has another version, another part
  /// is begun.
  package struct Part: Sendable, Equatable, Codable {
    /// The name of the file in the journal's folder of parts.
    package var name: String
    /// The strong validator (ETag or date) of this version; `nil` when the server sent none that can be relied on.
    package var validator: String?
    /// How many bytes were received.
    package var bytes: Int64
    /// How many bytes survive a power failure.
    package var durableBytes: Int64
    /// The size of the complete file in bytes; `nil` while unknown.
    package var total: Int64?
    /// The start of the machine during which the bytes were received.
    package var boot: String
    /// The server's answer that carried the bytes.
    package var response: TransferResponse?
    /// Whether the file is complete and is being moved to its destination.
    package var isMoving = false
  }

  /// The number of the task, which grows with each task of a journal.
  package let id: Int64
  /// The session of the task.
  package let session: SessionKey
  /// Whether the task receives or sends a file.
  package let kind: Kind
  /// What the task asks of the server.
  package var request: TransferRequest
  /// The path of a download, relative to the container.
  package var destination: String?
  /// The expected SHA-256 of the content in lower-case hexadecimal; `nil` accepts any content.
  package var sha256: String?
  /// The name of the copied upload in the journal's folder.
  package var source: String?
  /// The state of the task.
  package var state = State.waiting
  /// How many bytes of the body were moved.
  package var bytesDone: Int64 = 0
  /// How many bytes the whole body has; `nil` while unknown.
  package var bytesExpected: Int64?
  /// How many attempts in a row made no progress.
  package var attempts = 0
  /// The pause before the next attempt.
  package var notBefore: Countdown?
  /// The time limit of the task, after which it fails.
  package var deadline: Countdown
  /// The received beginning of a download, if there is one.
  package var part: Part?
  /// Whether the owner was notified that the server cannot be reached.
  package var hasToldOfWaiting = false
  /// The last HTTP status of the server.
  package var status: Int?
}
