import JSONRPC
import ExtensionHosting
import HostServices
import JSON

extension Golden {
  static let permissions: [Golden] = [
    Golden(
      Permissions.Request(name: "network", reason: "To fetch the headlines."),
      Permissions.Request.Result(state: .undecided)),
    Golden(PermissionsDidChange(name: "network", state: .denied)),
  ]
}
