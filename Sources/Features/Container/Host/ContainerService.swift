public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import JSONRPC

/// `container/…`: tells a caller where the folders of its app groups are.
public struct ContainerService: HostService {
  /// The one method that is served, `container/path`.
  public typealias Contract = Container

  private let state: StateDirectory
  private let permissions: PermissionAuthority

  /// - Parameters:
  ///   - state: the host's, below which the folders are.
  ///   - permissions: the host's, which decide what a keyboard may do; when absent, what the state directory says.
  public init(state: StateDirectory, permissions: PermissionAuthority? = nil) {
    self.state = state
    self.permissions = permissions ?? PermissionAuthority(state: state, log: NoLog())
  }

  /// Answers `container/path`, and makes the folder when it is asked for first.
  @HandlerBuilder public var handlers: [Handler] {
    Handler(Container.Path.self) { params, caller in
      guard caller.isEntitled(toGroup: params.group) else {
        throw ExtensionError(
          .groupNotEntitled, "\(caller.identity.id) is not entitled to the app group \(params.group).",
          details: ["group": .string(params.group)])
      }
      return Container.Path.Result(
        path: try state.groupFolder(params.group, for: caller.identity),
        mode: caller.identity.mayWriteInGroups(permissions) ? .readWrite : .readOnly)
    }
  }
}
