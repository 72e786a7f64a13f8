public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import JSONRPC

/// `container/…`: tells a caller where the folders of its app groups are.
public struct ContainerService: HostService {
  public typealias Contract = Container

  private let state: StateDirectory

  /// - Parameter state: the host's, below which the folders are.
  public init(state: StateDirectory) { self.state = state }

  @HandlerBuilder public var handlers: [Handler] {
    Handler(Container.Path.self) { params, caller in
      guard caller.isEntitled(toGroup: params.group) else {
        throw ExtensionError(
          .groupNotEntitled, "\(caller.identity.id) is not entitled to the app group \(params.group).",
          details: ["group": .string(params.group)])
      }
      return Container.Path.Result(
        path: try state.groupFolder(params.group, for: caller.identity),
        mode: caller.mayWriteToGroups ? .readWrite : .readOnly)
    }
  }
}
