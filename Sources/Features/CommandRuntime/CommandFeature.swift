package import CommandLineTool
package import ExtensionHosting
package import ExtensionProtocol
package import HostServices

/// A feature's part of the tool: commands, servers and traces.
package protocol CommandFeature: SendableMetatype {
  /// The feature's commands, in the order in which help lists them.
  static var commands: [any HostSubcommand.Type] { get }
  /// The servers that `host serve` can run.
  static var servers: [any LocalServer.Type] { get }
  /// How `host trace` runs extensions of the feature's points; `nil` when the tool cannot run them.
  static var traced: TracedRun? { get }
  /// Replaces services that differ between this tool and other hosts, for example because of an option.
  static func prepare(_ services: inout StandardServices, for invocation: Invocation) throws
}

extension CommandFeature {
  /// No commands.
  package static var commands: [any HostSubcommand.Type] { [] }
  /// No servers.
  package static var servers: [any LocalServer.Type] { [] }
  /// No way to run an extension.
  package static var traced: TracedRun? { nil }
  /// Does nothing: the feature uses the services of every host.
  package static func prepare(_ services: inout StandardServices, for invocation: Invocation) throws {}
}

/// The way in which `host trace` runs an extension, of which it records every message.
package struct TracedRun: Sendable {
  /// The points whose extensions are run.
  package let points: [ExtensionPoint]
  /// Runs an extension of one of the points once.
  package let run: @Sendable (RegistryEntry, HostStack, Invocation) async throws -> ExitStatus

  /// Makes a way to run extensions of some points.
  package init(
    _ points: ExtensionPoint...,
    run:
      @escaping @Sendable (_ entry: RegistryEntry, _ stack: HostStack, _ invocation: Invocation) async throws
      -> ExitStatus
  ) {
    (self.points, self.run) = (points, run)
  }
}

/// A server that `host serve` runs on this machine, for development and tests.
package protocol LocalServer: SendableMetatype {
  /// The word after `host serve`, with its options.
  static var command: Command { get }
  /// Serves until the task is cancelled.
  ///
  /// - Parameter ready: called once with the address, such as `http://127.0.0.1:4503`, when the port is open.
  /// - Throws: an error that conforms to ``LocalServerFailure`` when the port cannot be opened, for example.
  static func run(_ invocation: Invocation, ready: @escaping @Sendable (String) -> Void) async throws
  /// The lines that tell the user what the server serves, and which command to try.
  static func introduction(_ invocation: Invocation, at url: String) -> [ShownText]
}

/// Why a local server does not start, as the user reads it.
package protocol LocalServerFailure: Error {
  /// One sentence with address and port.
  var message: String { get }
  /// What the user can do about it.
  var recovery: String { get }
}

extension ExtensionError {
  /// `host trace` has no use for an extension.
  ///
  /// - Parameter recovery: another way to record it, where there is one.
  package static func cannotTrace(_ entry: RegistryEntry, recovery: String? = nil) -> ExtensionError {
    ExtensionError(
      .pointDisallows,
      "\(entry.identifier) is for \(entry.point?.shortName ?? "no known point"), which this command cannot run.",
      recovery: recovery ?? "Run \"host list\" to see which extensions there are for which point.")
  }
}
