import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionProtocol
import HostServices

/// `host documents`: what Document Pickers and File Providers offer, without their screens.
enum DocumentsCommand: HostSubcommand {
  static let command = Command(
    "documents", summary: "Import, open, export and move documents of document providers",
    example: "host documents list",
    subcommands: [
      Command(
        "list", summary: "List what a document picker shows", example: "host documents list trips",
        options: [.with, .trace], arguments: [CommandArgument("DIRECTORY", "The identifier of a folder", .optional)]),
      Command(
        "import", summary: "Copy a document to this machine",
        discussion: "Without -o the copy gets the document's name, in the current folder, and replaces no file.",
        example: "host documents import trips/plan.txt -o plan.txt",
        options: [
          .with, .value("output", short: "o", "FILE", "Write the copy to a file", values: .file), types, .trace,
        ],
        arguments: [CommandArgument("ID", "The identifier of the document, from “host documents list”")]),
      Command(
        "open", summary: "Work on a document of a provider; changes go back to the provider",
        discussion: """
          Prints the path of a working copy that only you can read. The document stays in use until standard input \
          ends or you press Ctrl-C. Then changes in the copy are written back, and the copy is removed. With --edit, \
          the command runs with the path as its last argument, and the document stays in use while it runs.
          """,
        example: "host documents open trips/plan.txt --edit vi",
        options: [.with, .value("edit", "COMMAND", "Run a command on the working copy"), types, .trace],
        arguments: [CommandArgument("ID", "The identifier of the document, from “host documents list”")]),
      Command(
        "export", summary: "Give a copy of a file to a document provider",
        example: "host documents export plan.txt",
        options: [.with, folder, .trace], arguments: [CommandArgument("FILE", "The file", values: .file)]),
      Command(
        "move", summary: "Move a file to a document provider",
        discussion: "The file is removed only when the provider has confirmed that it has every byte.",
        example: "host documents move plan.txt --to trips",
        options: [.with, folder, .trace], arguments: [CommandArgument("FILE", "The file", values: .file)]),
    ])

  private static let folder = CommandOption.value("to", "DIRECTORY", "The identifier of the folder to put it into")
  private static let types = CommandOption.value(
    "type", "UTI", "Take documents of this uniform type only", isRepeatable: true)

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    guard invocation.namesSubcommand() else { return .usage }
    do {
      let job = try DocumentsJob(invocation)
      switch invocation.parsed.path[1] {
      case "list": try await job.list()
      case "import": try await job.import()
      case "open": try await job.open()
      case "export": try await job.save(.exportToService)
      default: try await job.save(.moveToService)
      }
      return .success
    } catch let error as ExtensionError {
      guard let code = error.fileProviderCode else { throw error }
      var named = error
      named.message += " (\(code.name) \(code.rawValue))"
      return Failure(named, status: status(of: code)).print(to: invocation)
    }
  }

  private static func status(of code: FileProviderErrorCode) -> ExitStatus {
    switch code {
    case .serverUnreachable, .domainTemporarilyUnavailable, .providerNotFound: .unavailable
    case .notAuthenticated: .noPermission
    case .noSuchItem: .noInput
    case .insufficientQuota, .filenameCollision: .cannotCreate
    default: .failure
    }
  }
}
