import JSONRPC
import ExtensionHosting
import HostServices
import JSON
import PropertyList

extension Golden {
  static let typeIdentifiers: [Golden] = [
    Golden(
      TypeIdentifiers.Conforms(type: "public.jpeg", to: "public.image"), TypeIdentifiers.Conforms.Result(value: true))
  ]
}
