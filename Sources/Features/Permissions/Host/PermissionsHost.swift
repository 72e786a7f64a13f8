public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import JSON

package enum PermissionsHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) -> PermissionService {
    PermissionService(environment.permissions)
  }
}

/// `permission/…`: passes an extension's wish on to what knows the user's decisions.
public struct PermissionService: HostService {
  /// The one method that is served, `permission/request`.
  public typealias Contract = Permissions

  private let authority: PermissionAuthority

  /// - Parameter authority: the one that the host's configuration has, so that an answer holds at once.
  public init(_ authority: PermissionAuthority) { self.authority = authority }

  /// Answers `permission/request` with what the user decided.
  @HandlerBuilder public var handlers: [Handler] {
    Handler(answering: Permissions.Request.self) { [authority] params, caller in
      let state = try await authority.request(params.name, reason: params.reason, for: caller)
      return Answer(Permissions.Request.Result(state: state)).afterwards { authority.answered(caller) }
    }
  }
}
