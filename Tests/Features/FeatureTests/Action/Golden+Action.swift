import JSONRPC
import ExtensionHosting
import HostServices
import JSON
import PropertyList

extension Golden {
  static let action: [Golden] = [
    Golden(
      Action.Perform(requestID: "r1", inputItems: [item], pageResults: ["title": "Caves"]),
      Action.Perform.Result(view: WidgetView(title: "Itinerary")))
  ]
}
