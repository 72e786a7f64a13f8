import ExtensionHosting
import HostServices
import JSONRPC
import PropertyList

extension Golden {
  static let today: [Golden] = [
    Golden(
      Today.PerformUpdate(requestID: "r1", reason: "visible", displayMode: "compact"),
      .newData(
        WidgetView(
          title: "Adventures", text: "Two", rows: [.init(title: "Caves", subtitle: "2 days", value: "$5", url: "a://b")]
        )
      ))
  ]
}
