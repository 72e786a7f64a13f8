import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices
import SessionServices
import JSON
import Transfers

/// `host sessions`: the transfers that go on in the background.
enum SessionsCommand: HostSubcommand {
  static let section = CommandSection.data

  private static let session = CommandArgument("SESSION", "Its identifier, or APP/IDENTIFIER where several have it")
  private static let transferOptions: [CommandOption] = [
    .value("header", short: "H", "NAME:VALUE", "A header field of the request", isRepeatable: true),
    .value("sha256", "HEX", "What the file has to come to"),
    .flag("detach", "Leave the transfer to the daemon, and end at once"),
  ]

  static let command = Command(
    "sessions", summary: "Show and steer transfers that go on in the background",
    discussion: """
      Extensions and apps hand uploads and downloads over to sessions. A daemon makes them, which is started when there is \
      something to do and ends when there is not; what was not finished then, or when the machine stopped, goes on with the \
      next command that uses a session. Interrupting download and upload cancels the transfer; with --detach it goes on.
      """,
    example: "host sessions list",
    subcommands: [
      Command("list", summary: "List the sessions and how far they are", example: "host sessions list"),
      Command(
        "show", summary: "Show the tasks of a session",
        example: "host sessions show com.example.adventures.share.uploads", arguments: [session]),
      Command(
        "watch", summary: "Print what becomes of tasks, until it is interrupted", example: "host sessions watch --json"),
      Command(
        "cancel", summary: "Cancel the tasks of a session, or one of them",
        example: "host sessions cancel com.example.adventures.share.uploads 12",
        arguments: [session, CommandArgument("TASK", "The number of a task; all of them when absent", .optional)]),
      Command(
        "download", summary: "Download a file, over lost connections too",
        example: "host sessions download http://127.0.0.1:8080/photo.jpg -o photo.jpg",
        options: [
          .value("output", short: "o", "FILE", "Where to; the last part of the URL's path when absent", values: .file)
        ]
          + transferOptions,
        arguments: [CommandArgument("URL", "What to download")]),
      Command(
        "upload", summary: "Upload a file, over lost connections too",
        example: "host sessions upload photo.jpg http://127.0.0.1:8080/photo.jpg",
        options: [.value("method", "METHOD", "PUT, POST or PATCH", default: "PUT")] + transferOptions,
        arguments: [
          CommandArgument("FILE", "What to upload, as it is now", values: .file),
          CommandArgument("URL", "Where to"),
        ]),
      Command(
        "run", summary: "Make the transfers in this process until none is left", example: "host sessions run",
        options: [.config]),
    ])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    guard invocation.namesSubcommand() else { return .usage }
    if invocation.parsed.path[1] == "run" { return try await daemon(invocation) }
    let stack = try HostStack(invocation)
    let service: SessionService = stack.service()
    try await service.resume()
    switch invocation.parsed.path[1] {
    case "list": return try await SessionList(invocation, service).list()
    case "show": return try await SessionList(invocation, service).show()
    case "cancel": return try await cancel(invocation, service)
    case "watch": return try await SessionFollower(invocation, service).run()
    case "download": return try await OwnTransfer(invocation, service).download()
    default: return try await OwnTransfer(invocation, service).upload()
    }
  }

  private static func daemon(_ invocation: Invocation) async throws -> ExitStatus {
    let stack = try HostStack(invocation)
    let hosts = SessionHosts(invocation)
    return try await invocation.watching {
      try await TransferDaemon(stack.service()) { try await hosts.host(of: $0) }.run(endingWhenIdle: true)
    }
  }

  private static func cancel(_ invocation: Invocation, _ service: SessionService) async throws -> ExitStatus {
    let session = try await service.session(named: invocation.parsed.argument("SESSION") ?? "")
    let tasks = try await service.records(of: session.key)
    var chosen = tasks.filter { !$0.state.isOver }
    if let text = invocation.parsed.argument("TASK") {
      guard let number = Int64(text), let task = tasks.first(where: { $0.id == number }) else {
        throw CommandLineError(
          "The session \(session.key.identifier.escapedForTerminal) has no task “\(text.escapedForTerminal)”.",
          help: "“host sessions show” lists them.")
      }
      chosen = [task].filter { !$0.state.isOver }
    }
    for task in chosen { try await service.cancel(task) }
    if invocation.wantsJSON {
      invocation.printJSON(.object(["cancelled": .array(chosen.map { .integer($0.id) })]))
    } else {
      invocation.console.note(
        chosen.isEmpty
          ? "Nothing was left to cancel." : "Cancelled \(chosen.count == 1 ? "1 task" : "\(chosen.count) tasks").")
    }
    return .success
  }
}
