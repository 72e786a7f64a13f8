import Authoring
import CommandLineTool
import CommandRuntime
import ExtensionProtocol
import Files
import HostServices
import JSON

/// `host new`: an extension that runs at once, with its app, manifests, tests and a README.
enum NewCommand: HostSubcommand {
  static let section = CommandSection.develop

  static let command = Command(
    "new", summary: "Make a project for a new extension, with its app, manifests, tests and a README",
    discussion: """
      The command replaces no file. A Swift extension is a package that depends on annex: --annex names its folder or \
      the address of its repository; a development build knows its own folder. A Python or Node extension is a bundle \
      with the client copied in, and there is nothing to build. A widget in Bash, C or Go speaks the protocol by hand; \
      make builds the last two.

      The identifier of the app is org.example.NAME unless --identifier gives another. The extension's identifier \
      begins with it.
      """,
    example: "host new today Weather --language python",
    options: [
      .value(
        "language", "LANGUAGE", "The programming language", default: ProjectLanguage.swift.rawValue,
        values: .choices(ProjectLanguage.allCases.map(\.rawValue))),
      .value("into", "DIR", "The folder in which to make the project", default: ".", values: .directory),
      .value("identifier", "ID", "The bundle identifier of the app"),
      .value("annex", "PATH|URL", "The folder or repository of annex, for a Swift package", values: .directory),
    ],
    arguments: [
      CommandArgument(
        "POINT", "The extension point", values: .suggestions(NewProject.points(for: .swift))),
      CommandArgument("NAME", "The name of the app: letters and digits"),
    ]
  ).alsoTried(as: "create", "init", "scaffold")

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let parsed = invocation.parsed
    let language = parsed.value("language").flatMap(ProjectLanguage.init(rawValue:)) ?? .swift
    let folder = parsed.value("into") ?? "."
    let point = Features.points.definition(of: try Features.points.required(parsed.argument("POINT") ?? ""))
    let project = try NewProject(
      parsed.argument("NAME") ?? "", point: point, language: language,
      identifier: parsed.value("identifier"), annex: try annex(invocation, language))
    let path = folder == "." ? project.name : "\(folder)/\(project.name)"
    let files = try project.write(into: folder, run: run(project, in: nil, tool: "host"))
    let tool = CommandLine.arguments.first ?? "host"
    let run = run(project, in: path, tool: tool)
    let work = "\(shellWord(tool)) dev \(shellWord(path))"
    if invocation.wantsJSON {
      invocation.printJSON([
        "path": .string(path), "app": .string(project.appIdentifier), "id": .string(project.identifier),
        "files": .array(files.map { .string($0) }), "run": .string(run), "work": .string(work),
      ])
    } else {
      for file in files { invocation.console.detail("+ \(path)/\(file)") }
      invocation.console.print("Made \(project.identifier) in \(path). To run it:")
      invocation.console.print("  \(run)")
      invocation.console.print("To have it run again whenever you save a file:")
      invocation.console.print("  \(work)")
    }
    return .success
  }

  private static func annex(
    _ invocation: Invocation, _ language: ProjectLanguage
  ) throws(ExtensionError) -> AnnexDependency? {
    guard language == .swift else { return nil }
    guard let place = invocation.parsed.value("annex") else {
      return Installation.developmentPackage.flatMap { AnnexDependency($0) }
    }
    if let found = AnnexDependency(place) { return found }
    throw ExtensionError(
      .extensionUnknown, "There is no Swift package in “\(place)”.",
      recovery: "Give --annex the folder with the Package.swift of annex, or the address of its repository.")
  }

  /// The command that builds and runs the extension.
  private static func run(_ project: NewProject, in path: String?, tool: String) -> String {
    let place = path.map { "\($0)/\(project.registered)" } ?? project.registered
    let build =
      switch project.language {
      case .swift: path.map { "swift build --package-path \(shellWord($0)) && " } ?? "swift build && "
      case .c, .go: path.map { "make -C \(shellWord($0)) && " } ?? "make && "
      case .python, .node, .bash: ""
      }
    let use = PointTrial.words(for: project.point.shortName, project.identifier)
    let words = [tool] + use + ["--manifests", place]
    return build + words.map(shellWord).joined(separator: " ")
  }
}

/// What a user would do to see an extension of a point work: the words of a command of this tool.
enum PointTrial {
  /// - Returns: the words after the tool's name; `host conform` where the point needs a file or a dialogue.
  static func words(for point: String, _ identifier: String) -> [String] {
    switch point {
    case "today": ["today", identifier]
    case "share": ["share", "--with", identifier, "--text", "A text to share", "--post", "See you there"]
    case "action", "action-ui": ["action", "--with", identifier, "--text", "A text with five words"]
    default: ["conform", identifier]
    }
  }
}
