import JSONRPC
import ExtensionHosting
import HostServices
import JSON
import PropertyList

extension Golden {
  static let items: [Golden] = [
    Golden(
      Items.Load(
        requestID: "r1", itemID: "a3", typeIdentifier: "public.text", representation: .inPlace,
        options: Items.Options(preferredImageSize: .init(width: 640.5, height: 480.5))),
      Items.Load.Result(
        typeIdentifier: "public.plain-text", path: "item-a3", isInPlace: false, suggestedName: "long.txt")),
    Golden(
      Items.HasConforming(requestID: "r1", itemID: "a3", typeIdentifier: "public.text"),
      Items.HasConforming.Result(value: true)),
    Golden(
      Items.Provide(requestID: "r1", itemID: "n1", typeIdentifier: "public.png", options: Items.Options()),
      Items.Provide.Result(kind: .file, typeIdentifier: "public.png", path: "picture.png")),
  ]
}
