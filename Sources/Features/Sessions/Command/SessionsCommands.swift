package import CommandRuntime
import ExtensionHosting
package import HostServices
import SessionServices

/// Background sessions in the tool.
package enum SessionsCommands: CommandFeature {
  package static let commands: [any HostSubcommand.Type] = [SessionsCommand.self]

  /// Transfers are made by a daemon, as they go on when the command has ended.
  package static func prepare(_ services: inout StandardServices, for invocation: Invocation) throws {
    let daemon = try DaemonProcess(invocation)
    services.use { environment in
      try SessionService(in: environment, maker: .daemon { try daemon.start() })
    }
  }
}
