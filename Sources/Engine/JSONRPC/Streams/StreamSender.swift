import JSON

/// The way in which a stream ended.
enum StreamEnd: Equatable, Sendable {
  /// Everything has been sent.
  case finished
  /// The sender broke off, and why.
  case failed(ErrorObject)
  /// The receiver wants no more, and why.
  case dropped(ErrorObject?)

  /// What the reason takes in memory, in bytes, about.
  var weight: Int {
    switch self {
    case .finished: 0
    case .failed(let error): error.weight
    case .dropped(let error): error?.weight ?? 0
    }
  }

  /// The error of an operation on a stream that has ended.
  var error: ErrorObject {
    switch self {
    case .finished: .streamUnknown("The stream has ended.")
    case .failed(let error): error
    case .dropped(let error): error ?? .streamUnknown("The receiver dropped the stream.")
    }
  }
}

/// The sending half of a stream. Pure: it counts credit and messages.
///
/// Credit is what the receiver can take, in bytes: of the decoded bytes of `data`, of the JSON text of a `value`.
/// It begins at zero; each `$/stream/ack` adds some.
struct StreamSender {
  enum Take: Equatable {
    /// So many bytes may go, in the message of this number.
    case send(count: Int, sequence: Int64)
    /// There is no credit.
    case wait
    case over(StreamEnd)
  }

  /// More than any receiver buffers: a peer that grants more is not believed.
  static let maximumCredit = 1 << 40

  private(set) var credit = 0
  private(set) var end: StreamEnd?
  private var sequence: Int64 = 0

  /// Adds the credit that the receiver granted.
  ///
  /// - Returns: false when the grant is invalid; it is then ignored.
  mutating func granted(_ bytes: Int) -> Bool {
    guard bytes > 0, bytes <= Self.maximumCredit - credit else { return false }
    credit += bytes
    return true
  }

  /// Takes credit for as much of `wanted` bytes as there is.
  mutating func take(atMost wanted: Int) -> Take {
    if let end { return .over(end) }
    let count = min(wanted, credit)
    return count > 0 ? spend(count) : .wait
  }

  /// Takes credit for exactly `count` bytes: a value is not divided.
  mutating func take(whole count: Int) -> Take {
    if let end { return .over(end) }
    return count <= credit ? spend(count) : .wait
  }

  private mutating func spend(_ count: Int) -> Take {
    credit -= count
    sequence += 1
    return .send(count: count, sequence: sequence)
  }

  /// - Returns: false when it was over already; the first end counts.
  mutating func stop(_ end: StreamEnd) -> Bool {
    guard self.end == nil else { return false }
    self.end = end
    return true
  }
}
