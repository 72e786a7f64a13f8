import BundleIndex
import CommandLineTool
import CommandRuntime
import ExtensionProtocol
import Files
import NetworkServices

/// `host serve index`: the folder of an index, as a web server has it.
enum LocalIndexServer: LocalServer {
  static let command = Command(
    "index", summary: "Serve the folder of an index",
    discussion: """
      Prints “ready http://127.0.0.1:PORT” and runs until you press Ctrl-C. It serves what “host publish” wrote, as any \
      web server does, and each later publication.
      """,
    example: "host serve index index --port 0",
    options: [.value("port", "N", "The port; 0 takes any free one", default: "4506")],
    arguments: [CommandArgument("DIR", "The folder of the index", values: .directory)])

  static func run(_ invocation: Invocation, ready: @escaping @Sendable (String) -> Void) async throws {
    let root = invocation.parsed.argument("DIR") ?? ""
    guard FileStatus("\(root)/metadata/root.json") != nil else {
      throw Failure(
        ExtensionError(
          .invalidParams, "\(root) is not the folder of an index.", recovery: "Make one with “host publish DIR BUNDLE”."
        ),
        status: .noInput)
    }
    var configuration = IndexServer.Configuration(
      port: try invocation.parsed.integer("port", in: 0...65_535) ?? 4_506, root: root)
    configuration.requestLog = invocation.requestLog
    try await invocation.serve(
      IndexServer(configuration: configuration), as: "index", admitsFetches: false, ready: ready)
  }

  static func introduction(_ invocation: Invocation, at url: String) -> [ShownText] {
    [
      "Serves the index in \(invocation.parsed.argument("DIR") ?? "").",
      "In another terminal try: host search --from \(url)",
    ]
  }
}
