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
      The params are checked against the schema of the method before the extension is started, and the result after the \
      call; “host points show POINT” lists the methods. Files and streams that the params name are given with --file and \
      --stream, and an empty folder for the extension to write into with --folder; the file or the stream that the \
      result names goes to standard output, or to the file that -o names. Items cannot be passed: the commands of the \
      points that take them do that.

      PARAMS is a JSON object, @FILE for one in a file, or - for standard input. METHOD may leave out what all methods of \
      the point begin with.
      """,
    example: """
      host call com.example.adventures.clock performUpdate \
      '{"requestID":"1","reason":"visible","displayMode":"compact"}'
      """,
    options: [
      .value("deadline", "SECONDS", "How long the call may take; what the method says, unless it is given"),
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
