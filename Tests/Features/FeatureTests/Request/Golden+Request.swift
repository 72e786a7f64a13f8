import JSONRPC
import ExtensionHosting
import HostServices
import JSON
import PropertyList

extension Golden {
  static let request: [Golden] = [
    Golden(
      Request.Begin(
        requestID: "r1", point: .share, inputItems: [item],
        host: Request.HostApp(bundleID: "com.example.notes", acceptableTypes: ["public.text"]),
        presentation: Request.Presentation(interactive: true, size: WidgetSize(width: 80, height: 24))),
      Request.Begin.Result()),
    Golden(
      Request.Complete(requestID: "r1", returningItems: [ExtensionItem(contentText: "Done")], completionWork: true),
      Request.Complete.Result(token: "e1", expiresInMs: 5000)),
    Golden(Request.Cancel(requestID: "r1", error: .userCancelled), Empty()),
    Golden(Request.Withdraw(requestID: "r1", error: .userCancelled)),
    Golden(Request.HostStateDidChange(requestID: "r1", state: .didEnterBackground)),
    Golden(Request.WillExpire(requestID: "r1", deadlineMs: 500)),
    Golden(
      Request.BeginExpiringActivity(reason: "Saving"),
      Request.BeginExpiringActivity.Result(token: "e1", expiresInMs: 5000)),
    Golden(Request.EndExpiringActivity(token: "e1"), Empty()),
  ]
}
