import JSONRPC
import ExtensionHosting
import HostServices
import JSON
import PropertyList

extension Golden {
  static let today: [Golden] = [
    Golden(
      Today.PerformUpdate(
        requestID: "r1", reason: .visible, displayMode: .compact, maxSize: WidgetSize(width: 80, height: 6)),
      UpdateResult(
        .newData,
        view: WidgetView(
          title: "Adventures", text: "Two", rows: [.init(title: "Caves", subtitle: "2 days", value: "$5", url: "a://b")]
        ), preferredContentSize: WidgetSize(width: 80, height: 9))),
    Golden(
      Today.DisplayModeDidChange(displayMode: .expanded, maxSize: WidgetSize(width: 80, height: 20)),
      Today.DisplayModeDidChange.Result(
        preferredContentSize: WidgetSize(width: 80, height: 12), view: WidgetView(text: "More"))),
    Golden(
      Today.DidSelectRow(requestID: "r1", row: 1, action: "done:caves"),
      UpdateResult(.newData, view: WidgetView(rows: [.init(title: "Caves", action: "undo:caves")]))),
    Golden(Today.ViewWillAppear(requestID: "r1")),
    Golden(Today.ViewDidDisappear(requestID: "r1")),
    Golden(Today.SetHasContent(flag: false, bundleIdentifier: "com.example.adventures.today"), Empty()),
    Golden(
      Today.SetLargestAvailableDisplayMode(mode: .expanded),
      Today.Display(activeDisplayMode: .expanded, grantedSize: WidgetSize(width: 80, height: 20))),
    Golden(
      Today.SetPreferredContentSize(width: 40, height: 12),
      Today.Display(activeDisplayMode: .expanded, grantedSize: WidgetSize(width: 80, height: 12))),
  ]
}
