public import Contracts
internal import EventLoop
public import ExtensionHosting
public import ExtensionProtocol

/// What a host remembers of a widget from run to run, beside its snapshot.
public struct WidgetRecord: Codable, Sendable, Equatable, StateContent {
  /// Whether the widget has anything to show; without content it is hidden and not started.
  public var hasContent = true
  /// What the widget said last.
  public var largestDisplayMode = WidgetDisplayMode.compact
  /// In lines; `nil` for a widget that never asked for a height.
  @NonNegative<Int?> public var preferredHeight: Int?
  /// Updates that failed one after the other.
  @NonNegative<Int> public var failures = 0
  /// When the last update ended, in seconds since 1970.
  @Timestamp<Double?> public var lastUpdate: Double?
  /// Before this time no scheduled update is made, in seconds since 1970.
  @Timestamp<Double?> public var notBefore: Double?

  /// Lines that are remembered of what a widget asks for, at most.
  static let highest = 10_000

  /// Makes the record of a widget that has never run.
  public init() {}

  /// The view that is shown is older than it should be.
  public var isStale: Bool { failures > 0 }

  /// The time between a failure and the next scheduled update: a minute, doubled with each further failure, an hour at
  /// most.
  static let backOff = BackOff(first: 60, longest: 3_600)

  /// An update came to this.
  ///
  /// - Parameters:
  ///   - outcome: what the update came to.
  ///   - time: seconds since 1970.
  public mutating func record(_ outcome: UpdateResult.Outcome, at time: Double) {
    lastUpdate = time
    failures = outcome == .failed ? failures.countedUp : 0
    notBefore = outcome == .failed ? time + Self.backOff.seconds(after: failures) : nil
  }

  /// When the next scheduled update is due, in seconds since 1970.
  ///
  /// - Parameter interval: seconds between updates that succeed.
  public func nextUpdate(interval: Double) -> Double {
    max(lastUpdate.map { $0 + interval } ?? 0, notBefore ?? 0)
  }
}
