package import ExtensionHosting

package enum TodayHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) throws -> TodayService {
    let registry = environment.registry
    return TodayService(state: environment.state, log: environment.log) { id in
      registry.entries.first { $0.identifier == id && !$0.isApp }?.containingApp
    }
  }
}
