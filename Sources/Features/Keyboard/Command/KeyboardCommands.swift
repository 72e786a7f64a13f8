package import CommandLineTool
package import CommandRuntime
package import ExtensionHosting
package import ExtensionProtocol
import HostServices

/// Keyboards in the tool.
package enum KeyboardCommands: CommandFeature {
  package static let commands: [any HostSubcommand.Type] = [KeyboardCommand.self]
  package static let tracedPoints: [ExtensionPoint] = [.keyboard]

  package static func trace(
    _ entry: RegistryEntry, on stack: HostStack, _ invocation: Invocation
  ) async throws -> ExitStatus {
    let keys = invocation.parsed.value("text") ?? ""
    let text = try await stack.withExtension(entry) { process in
      try await stack.keyboard.withSession(of: process, for: KeyboardField()) { session in
        for key in keys {
          if let failure = try await session.press(TypedLines.event(for: key)).failure { throw failure }
        }
        return session.document.text
      }
    }
    invocation.console.note("\(entry.displayName) typed “\(text)”.")
    return .success
  }
}

extension HostStack {
  var keyboard: KeyboardService { service() }
}
