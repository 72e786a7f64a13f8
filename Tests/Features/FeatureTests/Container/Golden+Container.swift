import ExtensionHosting
import HostServices

extension Golden {
  static let container: [Golden] = [
    Golden(Container.Path(group: "group.a"), Container.Path.Result(path: "/state/groups/group.a", mode: .readOnly))
  ]
}
