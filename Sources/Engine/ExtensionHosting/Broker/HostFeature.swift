/// The host layer of a feature: how its service is made.
package protocol HostFeature: Sendable {
  associatedtype Service: HostService

  /// Makes the service of one host.
  ///
  /// - Parameter environment: what it is made of, the services of other features included.
  static func makeService(in environment: HostEnvironment) throws -> Service
}
