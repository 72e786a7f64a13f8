package import CommandLineTool
package import ExtensionHosting
package import ExtensionProtocol
package import HTTPServer
package import HostServices

/// What a feature adds to the tool.
package protocol CommandFeature: SendableMetatype {
  /// Its commands, in the order in which help lists them.
  static var commands: [any HostSubcommand.Type] { get }
  /// What `host serve` can run for it.
  static var servers: [any LocalServer.Type] { get }
  /// The extension points whose extensions ``trace(_:on:_:)`` runs.
  static var tracedPoints: [ExtensionPoint] { get }
  /// Makes services that have to be others in this tool than in any host, for example because the command line says how.
  static func prepare(_ services: inout StandardServices, for invocation: Invocation) throws
  /// Runs an extension once for `host trace`, which records what is said.
  ///
  /// - Parameter entry: an extension of one of ``tracedPoints``.
  static func trace(_ entry: RegistryEntry, on stack: HostStack, _ invocation: Invocation) async throws -> ExitStatus
}

extension CommandFeature {
  package static var commands: [any HostSubcommand.Type] { [] }
  package static var servers: [any LocalServer.Type] { [] }
  package static var tracedPoints: [ExtensionPoint] { [] }
  package static func prepare(_ services: inout StandardServices, for invocation: Invocation) throws {}
  /// Refuses: there is nothing that this tool could do with an extension of the point.
  package static func trace(
    _ entry: RegistryEntry, on stack: HostStack, _ invocation: Invocation
  ) async throws -> ExitStatus {
    throw ExtensionError.cannotTrace(entry)
  }
}

/// A server that `host serve` runs on this machine, for development and tests.
package protocol LocalServer: SendableMetatype {
  /// The word after `host serve`, with its options.
  static var command: Command { get }
  /// Serves until the task is cancelled.
  ///
  /// - Parameter ready: called once with the address, when the port is open.
  static func run(_ invocation: Invocation, ready: @escaping @Sendable (ServerAddress) -> Void) async throws
}
