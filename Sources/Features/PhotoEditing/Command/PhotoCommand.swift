import CommandLineTool
import CommandRuntime
import HostServices

/// `host photo edit`: lets a Photo Editing extension edit a photo, and undoes it.
enum PhotoCommand: HostSubcommand {
  static let command = Command(
    "photo", summary: "Edit photos with a photo editing extension", example: "host photo edit beach.jpg",
    subcommands: [
      Command(
        "edit", summary: "Edit a photo; the original is kept and can be brought back with --revert",
        discussion: """
          Without -o the photo itself is replaced, at once or not at all. Editing an edited photo again takes the earlier \
          edit up when the extension can. What an extension's options are is its own business.
          """,
        example: "host photo edit beach.jpg --option tone=mono -o beach-mono.jpg",
        options: [
          .with, .value("output", short: "o", "FILE", "Write the edited photo to another file", values: .file),
          .value("option", "NAME=VALUE", "What to ask the editor for", isRepeatable: true),
          .flag("revert", "Bring the photo back as it was before its first edit"),
          .flag("ask", "At a terminal: ask before the edit is finished, so that it can be cancelled"), .trace,
        ],
        arguments: [CommandArgument("FILE", "The photo", values: .file)])
    ])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    guard invocation.namesSubcommand() else { return .usage }
    let path = invocation.parsed.argument("FILE") ?? ""
    let current = try InputFile.read(path, limit: PhotoLibrary.limit)
    let job = PhotoJob(
      invocation: invocation, path: path, current: current, library: PhotoLibrary(try invocation.state()))
    if invocation.parsed.flag("revert") { return try job.revert() }
    guard invocation.parsed.flag("ask") else { return try await job.edit(asking: nil) }
    guard Dialogue.isPossible(invocation) else {
      throw CommandLineError("--ask needs a terminal.", help: "Leave --ask away: the edit is then finished at once.")
    }
    return try await Dialogue.with(invocation) { try await job.edit(asking: $0) }
  }
}
