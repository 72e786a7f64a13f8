package import ExtensionHosting
import HostServices

package enum SessionsHost: HostFeature {
  /// Transfers are made in this process; a host app that has a daemon for them makes the service itself.
  package static func makeService(in environment: HostEnvironment) throws -> SessionService {
    try SessionService(in: environment, maker: .inProcess)
  }
}

extension SessionService {
  /// The service of a host, whose transfers are made by somebody.
  package convenience init(in environment: HostEnvironment, maker: Maker) throws {
    self.init(
      state: environment.state, store: try environment.service(DefaultsService.self).store,
      permissions: environment.permissions, points: environment.configuration.points, host: environment.host,
      loop: environment.loop, maker: maker, log: environment.log)
  }
}
