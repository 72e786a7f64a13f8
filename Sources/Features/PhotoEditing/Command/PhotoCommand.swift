import CommandLineTool
import CommandRuntime
import HostServices

/// `host photo edit`: lets a Photo Editing extension edit a photo, and undoes it.
enum PhotoCommand: HostSubcommand {
  static let command = Command(
    "photo", summary: "Edit photos with a photo editing extension", example: "host photo edit beach.jpg",
    subcommands: [
      Command(
        "edit", summary: "Edit a photo; --revert brings the original back",
        discussion: """
          Without -o the edited photo replaces the file, whole or not at all, and the original is kept for --revert. \
          When you edit an edited photo again, the extension continues the earlier edit if it can. Each extension has \
          options of its own.
          """,
        example: "host photo edit beach.jpg --option tone=mono -o beach-mono.jpg",
        options: [
          .with, .value("output", short: "o", "FILE", "Write the edited photo to another file", values: .file),
          .value("option", "NAME=VALUE", "An option of the editor, for example tone=mono", isRepeatable: true),
          .flag("revert", "Restore the photo from before its first edit"),
          .flag("ask", "At a terminal, ask before the edit is finished"), .trace,
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
