import CommandLineTool
package import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import HostServices

/// Keyboards in the tool.
package enum KeyboardCommands: CommandFeature {
  /// The command `host keyboard`.
  package static let commands: [any HostSubcommand.Type] = [KeyboardCommand.self]

  /// Types the text of the command line into an empty field with the keyboard.
  package static let traced: TracedRun? = TracedRun(.keyboard) { entry, stack, invocation in
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
