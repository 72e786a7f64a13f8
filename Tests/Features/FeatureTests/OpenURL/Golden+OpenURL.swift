import JSONRPC
import ExtensionHosting
import HostServices
import JSON
import PropertyList

extension Golden {
  static let openURL: [Golden] = [
    Golden(
      OpenURL.Open(requestID: "r1", url: "adventures://adventure/caves"),
      OpenURL.Open.Result(success: false, reason: "notContainingApp")),
    Golden(
      OpenURL.Deliver(
        url: "adventures://adventure/caves", source: .init(bundleID: "com.example.adventures.today", point: .today)),
      OpenURL.Deliver.Result(handled: true, presentation: "Caves")),
  ]
}
