import CommandLineTool
import Contracts
import ExtensionHosting
import ExtensionProtocol
import Glibc
import HostServices
import JSONRPC

/// What came of one widget's update: the view to show, and whether it is an old one.
struct WidgetUpdate: Sendable {
  let entry: RegistryEntry
  let outcome: UpdateResult.Outcome
  /// The view of this update, else the last one kept.
  let snapshot: SnapshotStore.Snapshot?
  let error: ExtensionError?

  /// A view that is shown although the update failed.
  var isStale: Bool { outcome == .failed && snapshot != nil }

  static func run(
    _ entry: RegistryEntry, displayMode: WidgetDisplayMode, on stack: HostStack
  ) async -> WidgetUpdate {
    let snapshots = SnapshotStore(state: stack.state)
    let last = snapshots.snapshot(of: entry.identifier)
    do {
      let result = try await stack.host.withExtension(entry.identifier) { widget in
        try await widget.performUpdate(displayMode: displayMode, requests: stack.requests)
      }
      guard result.result == .newData, let view = result.view else {
        let error = result.result == .failed ? failedByItself(entry) : nil
        return WidgetUpdate(entry: entry, outcome: result.result, snapshot: last, error: error)
      }
      let snapshot = SnapshotStore.Snapshot(view: view, updatedAt: now())
      try snapshots.store(snapshot, of: entry.identifier)
      return WidgetUpdate(entry: entry, outcome: .newData, snapshot: snapshot, error: nil)
    } catch {
      return WidgetUpdate(entry: entry, outcome: .failed, snapshot: last, error: ExtensionError(wrapping: error))
    }
  }

  private static func failedByItself(_ entry: RegistryEntry) -> ExtensionError {
    ExtensionError(.handlerFailed, "\(entry.displayName) reports that its update failed.")
  }

  /// Seconds since 1970.
  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The widget for people: its name, its view, and on standard error what went wrong.
  func print(to invocation: Invocation, displayMode: WidgetDisplayMode) {
    let console = invocation.console
    let name = console.terminal.styled(entry.displayName.escapedForTerminal, .cyan)
    let note = isStale ? " (stale)" : outcome == .noData ? " (unchanged)" : ""
    console.print("\(name)\(note)")
    if let snapshot {
      WidgetText(view: snapshot.view, displayMode: displayMode).print(to: console)
    } else if outcome != .failed {
      console.print("  nothing to show yet")
    }
    if let error { _ = Failure(error).print(to: invocation) }
  }

  /// `{id, result, stale, updatedAt, view, error?}`
  var document: JSONValue {
    get throws {
      var object = JSONObject()
      object["id"] = .string(entry.identifier)
      object["result"] = .string(outcome.rawValue)
      object["stale"] = .bool(isStale)
      object["updatedAt"] = snapshot.map { .double($0.updatedAt) } ?? .null
      object["view"] = try snapshot.map { try JSONCoding.value(of: $0.view) } ?? .null
      if let error { object["error"] = .object(Failure(error).object) }
      return .object(object)
    }
  }
}
