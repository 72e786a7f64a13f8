import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSONRPC

/// Today widgets.
extension ConformanceCheck {
  static let today = [
    ConformanceCheck(
      "widget-update", "widget/performUpdate is answered with newData, noData or failed, and a view that can be shown.",
      advice: "Answer {\"result\":\"newData\",\"view\":…}; a view is a text, or an object with title, text and rows.",
      points: [.today]
    ) { bench in try await bench.update(.compact) },
    ConformanceCheck(
      "widget-modes", "A widget can be updated in the expanded mode, and hears of a change of its room.",
      advice: "Answer widget/displayModeDidChange with {}, with a view, or as a method that is not served.",
      points: [.today]
    ) { bench in
      let remark = try await bench.update(.expanded)
      do {
        try await bench.withExtension { widget in
          _ = try await widget.call(
            Today.DisplayModeDidChange(displayMode: .expanded, maxSize: WidgetSize(width: 80, height: 20)),
            deadline: bench.patience)
        }
      } catch let failure as CheckFailure {
        guard try await bench.ownError(answering: Today.DisplayModeDidChange.method)?["code"] == -32601 else {
          throw failure
        }
      }
      return remark
    },
    ConformanceCheck(
      "widget-appearance", "widget/viewWillAppear and widget/viewDidDisappear do no harm.",
      advice: "Ignore the notifications that you do not know.", points: [.today]
    ) { bench in
      try await bench.withWire { wire in
        await wire.notify(Today.ViewWillAppear.method, ["requestID": "r1"])
        await wire.notify(Today.ViewDidDisappear.method, ["requestID": "r1"])
        try await wire.mustAnswer(1, within: bench.patience, after: "widget/viewDidDisappear")
        return nil
      }
    },
  ]
}

extension CheckBench {
  /// An error that the widget itself answers with counts as `failed`.
  fileprivate func update(_ mode: WidgetDisplayMode) async throws -> String? {
    do {
      let result = try await withExtension { widget in
        try await widget.performUpdate(displayMode: mode, requests: stand.requests, deadline: patience)
      }
      return result.result.rawValue
    } catch let failure as CheckFailure {
      guard let error = try await ownError(answering: Today.PerformUpdate.method) else { throw failure }
      return "an error, which counts as failed: \(error["message"]?.stringValue ?? "")"
    }
  }
}
