package import ExtensionHosting

package enum DataHost: HostFeature {
  /// Which server has the data only a host app knows: one that has any makes the service itself.
  package static func makeService(in environment: HostEnvironment) -> DataService { DataService(carrier: nil) }
}
