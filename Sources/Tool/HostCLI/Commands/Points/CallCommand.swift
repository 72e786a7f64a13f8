import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSON

/// `host call`: calls one method of an extension, of whatever point.
enum CallCommand: HostSubcommand {
  static let section = CommandSection.develop

  static let command = Command(
    "call", summary: "Call a method of an extension",
    discussion: """
      The command checks the params against the schema of the method before it starts the extension, and the result \
      after the call. “host points show POINT” lists the methods. --file and --stream give the files and streams that \
      the params name, and --folder an empty folder for the extension to write into. A file or stream in the result \
      goes to standard output, or to the file of -o. Items cannot be passed; use host share or host action.

      PARAMS is a JSON object, @FILE for one in a file, or - for standard input. METHOD may leave out the prefix of \
      the point.
      """,
    example: """
      host call com.example.adventures.clock performUpdate \
      '{"requestID":"1","reason":"visible","displayMode":"compact"}'
      """,
    options: [
      .value("deadline", "SECONDS", "How long the call may take (default: the method's own deadline)"),
      .value("file", "NAME=FILE", "Pass a file, by its path in the member NAME of the params", isRepeatable: true),
      .value(
        "folder", "NAME", "Grant an empty folder, by its path in the member NAME of the params", isRepeatable: true),
      .value("stream", "NAME=FILE", "Send a file as a stream, by its name in the member NAME", isRepeatable: true),
      .returned, .trace,
    ],
    arguments: [
      CommandArgument("ID", "The extension"), CommandArgument("METHOD", "The method, such as widget/performUpdate"),
      CommandArgument("PARAMS", "The params: JSON, @FILE or -", .optional),
    ])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let stack = try HostStack(invocation)
    let entry = try stack.registry.enabledExtension(invocation.parsed.argument("ID") ?? "")
    let call = try PlannedCall(invocation, of: entry, in: stack.registry)
    let outcome = try await stack.withExtension(entry) { process in try await call.run(on: process, invocation) }
    guard let outcome else {
      if invocation.wantsJSON {
        invocation.printJSON(["id": .string(entry.identifier), "method": .string(call.method)])
      }
      invocation.console.note("\(call.method) was sent; nobody answers a notification.")
      return .success
    }
    if invocation.wantsJSON {
      var document: JSONObject = [
        "id": .string(entry.identifier), "method": .string(call.method), "result": outcome.result,
      ]
      if let file = outcome.file { document["file"] = .string(file) }
      invocation.printJSON(.object(document))
    } else if !outcome.isWritten {
      invocation.printJSON(outcome.result)
    }
    return .success
  }
}
