import EventLoop
public import ExtensionProtocol

extension HealthRecord {
  /// What a process used, and what it may use.
  public struct Measure: Sendable, Codable, Equatable {
    /// What was used, in ``unit``.
    @NonNegative<Int64> public var figure: Int64
    /// The ceiling.
    @NonNegative<Int64> public var ceiling: Int64
    /// `bytes`, `milliseconds`, `threads` or `files`.
    public var unit: String

    /// Makes a measure.
    ///
    /// - Parameters:
    ///   - figure: what was used.
    ///   - ceiling: what is allowed.
    ///   - unit: of both numbers: `bytes`, `milliseconds`, `threads` or `files`.
    public init(figure: Int64, ceiling: Int64, unit: String) {
      self.figure = Int64(0).countingUp(max(0, figure))
      self.ceiling = Int64(0).countingUp(max(0, ceiling))
      self.unit = unit
    }

    /// `33 MiB used, 32 MiB allowed`
    package var description: String { "\(text(figure)) used, \(text(ceiling)) allowed" }

    private func text(_ number: Int64) -> String {
      switch unit {
      case "bytes": ByteText.of(UInt64(clamping: number))
      case "milliseconds": "\(number) ms"
      default: "\(number) \(unit)"
      }
    }
  }

  /// A deadline that passed.
  public struct Deadline: Sendable, Codable, Equatable {
    /// What was waited for.
    public enum Kind: String, Sendable, Codable, CaseIterable {
      /// For the answer to `initialize`.
      case handshake
      /// For the answer to another call, from its begin.
      case call
      /// For a sign of life while it works on a request: a call, a log line, progress.
      case silence
    }

    /// What was waited for when the time was over.
    public var kind: Kind
    /// How long the host had waited, in milliseconds.
    @NonNegative<Int64> public var milliseconds: Int64

    /// Makes the record of a deadline; a duration is cut to whole milliseconds.
    public init(_ kind: Kind, _ duration: Duration) {
      self.kind = kind
      milliseconds = Int64(0).countingUp(max(0, Int64(clamping: duration.wholeNanoseconds / 1_000_000)))
    }

    /// `10000 ms for the answer`
    package var description: String {
      let what =
        switch kind {
        case .handshake: "for the answer to initialize"
        case .call: "for the answer"
        case .silence: "without a sign of life"
        }
      return "\(milliseconds) ms \(what)"
    }
  }
}
