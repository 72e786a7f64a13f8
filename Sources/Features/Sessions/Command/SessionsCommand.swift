import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices
import SessionServices
import JSON
import Transfers

/// `host sessions`: lists and controls background transfers.
enum SessionsCommand: HostSubcommand {
  static let section = CommandSection.data

  private static let session = CommandArgument(
    "SESSION", "The session's identifier, or APP/IDENTIFIER when several apps have one of that name")
  private static let transferOptions: [CommandOption] = [
    .value("header", short: "H", "NAME:VALUE", "A header field of the request", isRepeatable: true),
    .value("sha256", "HEX", "The SHA-256 digest that the file must have"),
    .flag("detach", "End at once; the daemon makes the transfer"),
  ]

  static let command = Command(
    "sessions", summary: "Show, start and cancel transfers in the background",
    discussion: """
      Extensions and apps hand uploads and downloads to sessions, and a daemon makes them. It starts when there is \
      something to do and ends when there is not. Transfers that were unfinished when it or the machine stopped \
      continue with the next command that uses a session. Ctrl-C in download and upload cancels the transfer; with \
      --detach it continues.
      """,
    example: "host sessions list",
    subcommands: [
      Command("list", summary: "List the sessions and their progress", example: "host sessions list"),
      Command(
        "show", summary: "Show the tasks of a session",
        example: "host sessions show com.example.adventures.share.uploads", arguments: [session]),
      Command(
        "watch", summary: "Print the events of tasks until you press Ctrl-C", example: "host sessions watch --json"),
      Command(
        "cancel", summary: "Cancel the tasks of a session, or one of them",
        example: "host sessions cancel com.example.adventures.share.uploads 12",
        arguments: [session, CommandArgument("TASK", "The number of a task; all of them when absent", .optional)]),
      Command(
        "remove", summary: "Forget a session, its tasks and its events",
        discussion: "Tasks that are not over are cancelled.",
        example: "host sessions remove com.example.adventures.share.uploads", arguments: [session]),
      Command(
        "download", summary: "Download a file; lost connections are resumed",
        discussion: """
          A status other than 200 to 299 replaces no file, is an error, and the command ends with 1. With --detach the \
          daemon writes what the server sends.
          """,
        example: "host sessions download http://127.0.0.1:8080/photo.jpg -o photo.jpg",
        options: [
          .value(
            "output", short: "o", "FILE", "The file to write (default: the last part of the URL's path)", values: .file),
          .flag("fail-with-body", "Write what the server sent even when its status is not 200 to 299"),
        ]
          + transferOptions,
        arguments: [CommandArgument("URL", "The address of the file")]),
      Command(
        "upload", summary: "Upload a file; lost connections are resumed",
        example: "host sessions upload photo.jpg http://127.0.0.1:8080/photo.jpg",
        options: [.value("method", "METHOD", "PUT, POST or PATCH", default: "PUT")] + transferOptions,
        arguments: [
          CommandArgument("FILE", "The file to upload; later changes to it do not count", values: .file),
          CommandArgument("URL", "The address to upload to"),
        ]),
      Command(
        "run", summary: "Make all transfers in this process, then end", example: "host sessions run",
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
    case "remove":
      let session = try await service.session(named: invocation.parsed.argument("SESSION") ?? "")
      try await service.remove(session)
      invocation.console.note("Removed \(session.key.identifier).")
      return .success
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
    // Nobody else is told of a transfer of the user's own.
    if session.key.app == SessionRecord.tool { try await service.endOwn(session.key) }
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
