public import Contracts
internal import EventLoop
public import ExtensionHosting
public import ExtensionProtocol

/// A host's stored state of a widget between runs, besides its last view.
public struct WidgetRecord: Codable, Sendable, Equatable, StateContent {
  /// Whether the widget has content; without it the widget is hidden and not started.
  public var hasContent = true
  /// The largest display mode that the widget reported last.
  public var largestDisplayMode = WidgetDisplayMode.compact
  /// In lines; `nil` for a widget that never asked for a height.
  @NonNegative<Int?> public var preferredHeight: Int?
  /// The number of consecutive failed updates.
  @NonNegative<Int> public var failures = 0
  /// When the last update ended, in seconds since 1970.
  @Timestamp<Double?> public var lastUpdate: Double?
  /// Before this time no scheduled update is made, in seconds since 1970.
  @Timestamp<Double?> public var notBefore: Double?

  /// Lines that are remembered of what a widget asks for, at most.
  static let highest = 10_000

  /// Creates the record of a widget that has never run.
  public init() {}

  /// The view that is shown is older than it should be.
  public var isStale: Bool { failures > 0 }

  /// The time between a failure and the next scheduled update: a minute, doubled with each further failure, an hour at
  /// most.
  static let backOff = BackOff(first: 60, longest: 3_600)

  /// Records the outcome of an update.
  ///
  /// - Parameters:
  ///   - outcome: the outcome of the update.
  ///   - time: the time in seconds since 1970.
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

/// The records of all widgets, one small file each; several hosts may use them at once.
public struct WidgetRecords: Sendable {
  private let files: StateFolder<WidgetRecord>

  /// - Parameters:
  ///   - state: where the records lie, in the folder `widgets`.
  ///   - log: hears of a record that cannot be read.
  public init(state: StateDirectory, log: any LogSink = NoLog()) {
    files = StateFolder("widgets", in: state, name: "The record of a widget", log: log)
  }

  /// The record of a widget; one that is not there or cannot be read is new.
  public func record(of id: String) -> WidgetRecord { files.read(id) ?? WidgetRecord() }

  /// Changes the record of a widget: no other host changes it at the same time, and a crash leaves it as it was.
  ///
  /// - Returns: the record as it is now.
  /// - Throws: `storeFailed` when it cannot be read or written, or another process keeps it locked for more than 5 seconds.
  @discardableResult
  public func change(_ id: String, _ body: (inout WidgetRecord) -> Void) async throws(ExtensionError) -> WidgetRecord {
    try await files.change(id, or: WidgetRecord()) { record throws(ExtensionError) in
      body(&record)
      return record
    }
  }
}
