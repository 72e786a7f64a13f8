import ExtensionHosting
import HostServices
import JSONRPC
import PropertyList

extension Golden {
  static let request: [Golden] = [
    Golden(Request.Begin(requestID: "r1", point: .share, inputItems: [item]), Request.Begin.Result()),
    Golden(
      Request.Complete(requestID: "r1", returningItems: [ExtensionItem(contentText: "Done")]),
      Request.Complete.Result()),
    Golden(Request.Cancel(requestID: "r1", error: .userCancelled), Empty()),
    Golden(Request.Withdraw(requestID: "r1")),
  ]
}
