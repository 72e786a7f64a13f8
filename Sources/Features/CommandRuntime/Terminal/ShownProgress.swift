package import CommandLineTool
package import JSONRPC
import Synchronization

/// How far something has come, on standard error: a bar at a terminal, elsewhere a line for each tenth; nothing with
/// `--quiet` and `--json`.
package final class ShownProgress: Sendable {
  private struct State: ~Copyable {
    var bar: ProgressBar
    var tenth = 0
    var isOver = false
  }

  private let label: ShownText
  private let console: Console?
  private let state: Mutex<State>

  /// - Parameter label: the name of the operation, in a few words.
  package init(_ label: ShownText, _ invocation: Invocation) {
    self.label = label
    console = invocation.wantsJSON ? nil : invocation.console
    state = Mutex(State(bar: ProgressBar(invocation.console)))
  }

  /// Shows a report, unless its call has ended.
  package func show(_ progress: CallProgress) {
    guard let console, let total = progress.total, total > 0 else { return }
    let part = progress.progress / total
    guard part.isFinite else { return }
    state.withLock { state in
      guard !state.isOver else { return }
      guard !console.errorTerminal.movesCursor else { return state.bar.show(part, label) }
      let reached = Int(max(0, min(part, 1)) * 10)
      guard reached > state.tenth else { return }
      state.tenth = reached
      console.note("\(label): \(Int(100 * max(0, min(part, 1))))%")
    }
  }

  /// Removes the bar; what is reported later is not shown.
  package func finish() {
    state.withLock { state in
      state.isOver = true
      state.bar.finish()
    }
  }
}
