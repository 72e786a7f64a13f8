public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import JSON

package enum ContainerHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) -> ContainerService {
    ContainerService(
      state: environment.state, permissions: environment.permissions, points: environment.configuration.points)
  }
}

/// `container/…`: tells a caller where the folders of its app groups are.
public struct ContainerService: HostService {
  /// The one method that is served, `container/path`.
  public typealias Contract = Container

  private let state: StateDirectory
  private let permissions: PermissionAuthority
  private let points: ExtensionPointTable

  /// - Parameters:
  ///   - state: the host's, below which the folders are.
  ///   - permissions: the host's, which decide what a keyboard may do; when absent, what the state directory says.
  ///   - points: the host's, which say what an extension may do in the folders.
  public init(
    state: StateDirectory, permissions: PermissionAuthority? = nil, points: ExtensionPointTable = Features.points
  ) {
    self.points = points
    self.state = state
    self.permissions = permissions ?? PermissionAuthority(state: state, log: NoLog())
  }

  /// Serves `container/path`, and creates the folder at the first call.
  @HandlerBuilder public var handlers: [Handler] {
    Handler(Container.Path.self) { params, caller in
      try caller.require(group: params.group)
      return Container.Path.Result(
        path: try await state.groupFolder(params.group, for: caller),
        mode: caller.identity.mayWriteInGroups(permissions, points: points) ? .readWrite : .readOnly)
    }
  }
}
