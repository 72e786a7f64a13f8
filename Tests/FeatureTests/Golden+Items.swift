import ExtensionHosting
import HostServices
import JSONRPC
import PropertyList

extension Golden {
  static let items: [Golden] = [
    Golden(
      Items.Load(requestID: "r1", itemID: "a3", typeIdentifier: "public.text"),
      Items.Load.Result(typeIdentifier: "public.plain-text", path: "item-a3", suggestedName: "long.txt"))
  ]
}
