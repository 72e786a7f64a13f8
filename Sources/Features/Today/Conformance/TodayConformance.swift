package import Conformance
import Contracts
import ExtensionHosting
package import ExtensionProtocol
import HostServices
import JSON
import JSONRPC

/// Today widgets.
package enum TodayConformance: ConformanceFeature {
  /// The extension point of Today widgets.
  package static let points: [ExtensionPoint] = [.today]

  /// Updates the widget once.
  package static func mainScenario(_ context: CheckContext) async throws {
    _ = try await context.withExtension {
      try await $0.performUpdate(requests: context.requests, deadline: context.timeout)
    }
  }

  /// The checks of a Today widget, in the order in which they run.
  package static let checks = [
    ConformanceCheck(
      "widget-update", "widget/performUpdate is answered with newData, noData or failed, and a view that can be shown.",
      advice: "Answer {\"result\":\"newData\",\"view\":…}; a view is a text, or an object with title, text and rows.",
      points: [.today]
    ) { context in try await context.update(.compact) },
    ConformanceCheck(
      "widget-modes", "A widget can be updated in the expanded mode, and is told of a change of its size.",
      advice: "Answer widget/displayModeDidChange with {}, with a view, or as a method that is not served.",
      points: [.today]
    ) { context in
      let remark = try await context.update(.expanded)
      do {
        try await context.withExtension { widget in
          _ = try await widget.call(
            Today.DisplayModeDidChange(displayMode: .expanded, maxSize: WidgetSize(width: 80, height: 20)),
            deadline: context.timeout)
        }
      } catch let failure as CheckFailure {
        guard try await context.ownError(answering: Today.DisplayModeDidChange.method)?["code"] == -32601 else {
          throw failure
        }
      }
      return remark
    },
    ConformanceCheck(
      "widget-rows", "Each row with an action of the view that it shows can be chosen, or is refused with an error.",
      advice: "Answer widget/didSelectRow like an update; a view without actions needs no answer but -32601.",
      points: [.today]
    ) { context in try await context.chooseRows() },
    ConformanceCheck(
      "widget-appearance", "widget/viewWillAppear and widget/viewDidDisappear do no harm.",
      advice: "Ignore the notifications that you do not know.", points: [.today]
    ) { context in
      try await context.withWire { wire in
        await wire.notify(Today.ViewWillAppear.method, ["requestID": "r1"])
        await wire.notify(Today.ViewDidDisappear.method, ["requestID": "r1"])
        try await wire.mustAnswer(1, within: context.timeout, after: "widget/viewDidDisappear")
        return nil
      }
    },
  ]
}

extension CheckContext {
  /// Rows of a view that are tried, at most.
  fileprivate static let rowLimit = 20

  /// Chooses each row with an action in the widget's first view, in order.
  fileprivate func chooseRows() async throws -> String? {
    var count = 0
    do {
      try await withExtension { widget in
        let shown = try await widget.performUpdate(requests: requests, deadline: timeout)
        for (index, row) in (shown.view?.rows ?? []).enumerated() {
          guard let action = row.action, count < Self.rowLimit else { continue }
          count += 1
          _ = try await widget.didSelectRow(index, action: action, requests: requests, deadline: timeout)
        }
      }
    } catch let failure as CheckFailure {
      for method in [Today.DidSelectRow.method, Today.PerformUpdate.method] {
        if let error = try await ownError(answering: method) {
          guard method != Today.DidSelectRow.method || error["code"] != -32601 else { throw failure }
          return "an error to \(method): \(error["message"]?.stringValue ?? "")"
        }
      }
      throw failure
    }
    return count == 0 ? "no row has an action" : "\(count) chosen"
  }

  /// Updates the widget; an error of the widget counts as `failed`.
  fileprivate func update(_ mode: WidgetDisplayMode) async throws -> String? {
    do {
      let result = try await withExtension { widget in
        try await widget.performUpdate(displayMode: mode, requests: requests, deadline: timeout)
      }
      guard result.unknownKeys.isEmpty else {
        throw CheckFailure("It answers with keys that are not known: \(result.unknownKeys.joined(separator: ", ")).")
      }
      return result.result.rawValue
    } catch let failure as CheckFailure {
      guard let error = try await ownError(answering: Today.PerformUpdate.method) else { throw failure }
      return "an error, which counts as failed: \(error["message"]?.stringValue ?? "")"
    }
  }
}
