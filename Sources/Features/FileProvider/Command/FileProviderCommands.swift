import CommandLineTool
package import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import FileServer
import HTTPServer
import HostServices

/// File providers in the tool; `host documents` belongs to the pickers, which show their documents.
package enum FileProviderCommands: CommandFeature {
  /// The server `host serve files`.
  package static let servers: [any LocalServer.Type] = [LocalFileServer.self]

  /// Refuses: a provider works only for somebody who wants a document.
  package static let traced: TracedRun? = TracedRun(.fileProvider) { entry, _, _ in
    throw ExtensionError.cannotTrace(
      entry, recovery: "Run \"host documents import DOCUMENT --trace FILE\" to record a file provider.")
  }
}

extension HostStack {
  var documents: FileProviderService { service() }
}

/// `host serve files`: the server of a file provider's documents.
enum LocalFileServer: LocalServer {
  static let command = Command(
    "files", summary: "Serve the files of a folder for reading and writing",
    discussion: "Prints “ready http://127.0.0.1:PORT” and runs until you press Ctrl-C.",
    example: "host serve files --root documents --port 0",
    options: [
      .value("port", "N", "The port; 0 takes any free one", default: "4504"),
      .value("root", "DIR", "The folder", default: ".", values: .directory),
    ]
      + CommandOption.secret(
        "token", "The token that clients send as “Authorization: Bearer TOKEN”", environment: "ANNEX_SERVE_TOKEN"))

  static func run(_ invocation: Invocation, ready: @escaping @Sendable (String) -> Void) async throws {
    // Its requests come from file providers, which are extensions.
    try await invocation.serve(try server(invocation), as: "files", admitsFetches: true, ready: ready)
  }

  static func introduction(_ invocation: Invocation, at url: String) -> [ShownText] {
    [
      "Serves the files of the folder \(invocation.parsed.value("root") ?? ".").",
      "In another terminal try: curl '\(url)/?list'",
    ]
  }

  private static func server(_ invocation: Invocation) throws -> FileServer {
    let parsed = invocation.parsed
    let root = parsed.value("root") ?? "."
    do {
      var configuration = FileServer.Configuration(
        port: try parsed.integer("port", in: 0...65535) ?? 4504, root: root, token: try parsed.secret("token"))
      configuration.requestLog = invocation.requestLog
      return try FileServer(configuration: configuration)
    } catch let failure as FileTree.Failure {
      throw InputError(message: "Cannot serve \(failure.message)")
    }
  }
}
