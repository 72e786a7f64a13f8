public import Contracts
public import ExtensionHosting
import ExtensionProtocol
import Glibc
import Time

/// Shows Today widgets: the last view at once, a new one when an update brought it.
extension TodayService {
  /// Returns the last view of a widget without starting it.
  public func stored(_ id: String, in presentation: WidgetPresentation) -> WidgetState {
    state(of: id, records.record(of: id), outcome: nil, presentation, error: nil)
  }

  /// When the next scheduled update of a widget is due, in seconds since 1970; `nil` for one that is hidden.
  ///
  /// - Parameters:
  ///   - id: the widget's bundle identifier.
  ///   - interval: seconds between updates that succeed.
  public func nextUpdate(of id: String, interval: Double) -> Double? {
    let record = records.record(of: id)
    return record.hasContent ? record.nextUpdate(interval: interval) : nil
  }

  /// Starts a widget, updates it, and ends it. A hidden widget is not started.
  ///
  /// A failure is in the returned state: the last view is then shown as stale, and scheduled updates are delayed.
  ///
  /// - Parameters:
  ///   - id: the widget's bundle identifier.
  ///   - host: starts the widget. This service and a ``RequestService``, which opens a request for the update, must be
  ///     among the host's services.
  ///   - reason: the reason for the update, which the widget receives.
  ///   - presentation: the size; the mode also depends on the modes that the widget supports.
  ///   - deadline: the time limit of the update.
  ///   - onAnswer: gets what there is to show as soon as it is kept, before the widget's process has ended.
  public func update(
    _ id: String, on host: ExtensionHost, reason: WidgetUpdateReason, in presentation: WidgetPresentation,
    deadline: Duration = .seconds(10), onAnswer: @Sendable (WidgetState) async -> Void = { _ in }
  ) async -> WidgetState {
    let record = records.record(of: id)
    guard record.hasContent else { return state(of: id, record, outcome: .noData, presentation, error: nil) }
    let presentation = remembered(record, presentation)
    do {
      return try await host.withExtension(id) { process in
        let (result, after) = try await run(process, on: host, reason: reason, in: presentation, deadline: deadline)
        let state = try await keep(result, of: id, after)
        await onAnswer(state)
        return state
      }
    } catch {
      let error = ExtensionError(wrapping: error).asInterruption
      // The caller gave up; the widget did not fail.
      let failed =
        error.code == .cancelled
        ? nil : try? await records.change(id) { $0.record(.failed, at: UnixTime.now.fractionalSeconds) }
      let record = failed ?? record
      return state(of: id, record, outcome: .failed, presentation, error: error)
    }
  }

  /// Starts a widget, notifies it of a chosen row with an action, and ends it.
  ///
  /// A failure is in the returned state. It is the task that failed and not an update, so the last view does not
  /// become stale, and scheduled updates are not delayed.
  ///
  /// - Parameters:
  ///   - row: the index of the row in its view, from 0.
  ///   - action: the row's action.
  ///   - id: the widget's bundle identifier.
  ///   - host: starts the widget, as for an update.
  ///   - presentation: the size, as for an update.
  ///   - deadline: the time limit of the task.
  public func select(
    _ row: Int, action: String, of id: String, on host: ExtensionHost, in presentation: WidgetPresentation,
    deadline: Duration = .seconds(10)
  ) async -> WidgetState {
    let record = records.record(of: id)
    guard record.hasContent else { return state(of: id, record, outcome: .noData, presentation, error: nil) }
    do {
      let (result, after) = try await host.withExtension(id) { process in
        try await shown(process, on: host, in: remembered(record, presentation), isSeen: true) { requestID in
          try await process.didSelectRow(row, action: action, requestID: requestID, deadline: deadline)
        }
      }
      guard result.result != .failed else {
        return state(of: id, records.record(of: id), outcome: .failed, after, error: nil)
      }
      return try await keep(result, of: id, after)
    } catch {
      let error = ExtensionError(wrapping: error).asInterruption
      return state(of: id, record, outcome: .failed, presentation, error: error)
    }
  }

  /// The size with what the widget said of itself when it last ran.
  private func remembered(_ record: WidgetRecord, _ presentation: WidgetPresentation) -> WidgetPresentation {
    WidgetPresentation(
      wanted: presentation.wanted, largest: record.largestDisplayMode, preferredHeight: record.preferredHeight,
      columns: presentation.columns, maximumLines: presentation.maximumLines)
  }

  private func run(
    _ process: ExtensionProcess, on host: ExtensionHost, reason: WidgetUpdateReason,
    in presentation: WidgetPresentation, deadline: Duration
  ) async throws -> (UpdateResult, WidgetPresentation) {
    try await shown(process, on: host, in: presentation, isSeen: reason == .visible) { requestID in
      try await process.performUpdate(requestID: requestID, reason, presentation, deadline: deadline)
    }
  }

  /// Runs a call to a widget that is shown, and notifies the widget of the resulting size.
  private func shown(
    _ process: ExtensionProcess, on host: ExtensionHost, in presentation: WidgetPresentation, isSeen: Bool,
    _ body: (_ requestID: String) async throws -> UpdateResult
  ) async throws -> (UpdateResult, WidgetPresentation) {
    present(presentation, to: process)
    return try await host.service(RequestService.self).withRequest(of: process) { requestID in
      if isSeen { await process.notify(Today.ViewWillAppear(requestID: requestID)) }
      var result = try await body(requestID)
      if let height = result.preferredContentSize?.height, height > 0 {
        try await event(.setPreferredHeight(height), for: process.caller)
      }
      if let view = try await tellSize(to: process) {
        try await process.check(view, from: Today.DisplayModeDidChange.method)
        if result.result != .failed {
          let unknown = result.unknownKeys
          result = .newData(view)
          result.unknownKeys = unknown + view.unknownKeys
        }
      }
      if isSeen { await process.notify(Today.ViewDidDisappear(requestID: requestID)) }
      return (result, self.presentation(of: process) ?? presentation)
    }
  }

  private func keep(_ result: UpdateResult, of id: String, _ presentation: WidgetPresentation) async throws
    -> WidgetState
  {
    let record = try await records.change(id) { $0.record(result.result, at: UnixTime.now.fractionalSeconds) }
    // The widget may have hidden itself meanwhile, or its app may have.
    if record.hasContent, result.result == .newData, let view = result.view {
      try await snapshots.store(SnapshotStore.Snapshot(view: view, updatedAt: UnixTime.now.fractionalSeconds), of: id)
    }
    var state = state(of: id, record, outcome: result.result, presentation, error: nil)
    state.unknownKeys = result.unknownKeys
    return state
  }

  private func state(
    of id: String, _ record: WidgetRecord, outcome: UpdateResult.Outcome?, _ presentation: WidgetPresentation,
    error: ExtensionError?
  ) -> WidgetState {
    var presentation = presentation
    _ = presentation.event(.setLargest(record.largestDisplayMode))
    if let height = record.preferredHeight { _ = presentation.event(.setPreferredHeight(height)) }
    let snapshot = record.hasContent ? snapshots.snapshot(of: id) : nil
    return WidgetState(
      outcome: outcome, snapshot: snapshot, isStale: snapshot != nil && record.isStale, isHidden: !record.hasContent,
      displayMode: presentation.active, size: presentation.grantedSize, error: error)
  }
}
