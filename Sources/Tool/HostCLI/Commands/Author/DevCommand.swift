import CommandLineTool
import CommandRuntime
import EventLoop
import ExtensionProtocol
import Files
import HostServices
import Sandbox

/// `host dev`: builds and runs an extension again whenever a file of its project is saved.
enum DevCommand: HostSubcommand {
  static let section = CommandSection.develop

  static let command = Command(
    "dev", summary: "Build and run an extension again whenever you save a file",
    discussion: """
      The project is built (swift build; scripts are read by their interpreters), made into a bundle as by host bundle, \
      and registered until this command ends. Then its extensions run: a widget is updated, a share extension and an action \
      get a text, and any other is tried as by host conform; WORD… names another command of this tool, for example \
      -- action --with org.example.weather.action README.md. What an extension says comes as with --verbose. When a build \
      fails, the last bundle that was good stays registered. Ctrl-C ends it, and nothing is left behind.

      With --json standard output carries a line for each event: {event: building|built|failed|ran|changed, …}; what the \
      build and the extension say goes to standard error.
      """,
    example: "host dev Weather",
    options: [
      .value("set", "NAME=VALUE", "Give a build setting a value; may be given several times", isRepeatable: true),
      .flag("once", "Build and run once, and end with the status of that"),
    ],
    arguments: [
      CommandArgument("DIR", "The folder of a project", values: .directory),
      CommandArgument("WORD", "The command to run after each build", .any),
    ])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let folder = try RunFolder("dev", invocation.environment)
    defer { folder.remove() }
    let session = try DevSession(invocation, in: folder.path)
    do {
      let status = try await session.run()
      try await session.unregister()
      return status
    } catch {
      // Whatever ended it, nothing stays registered.
      try await session.unregister()
      if error is CancellationError || Task.isCancelled { return .failure }
      throw error
    }
  }
}
