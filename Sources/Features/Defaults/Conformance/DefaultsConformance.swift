import Conformance
package import ExtensionHosting
import HostServices

/// The group store that extensions are tried with: empty, and in memory.
package enum DefaultsConformance: ConformanceFeature {
  package static func prepare(_ environment: HostEnvironment, for identity: Caller.Identity) {
    environment.use(DefaultsService(store: .inMemory()))
  }
}
