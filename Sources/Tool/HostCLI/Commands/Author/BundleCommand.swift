import Authoring
import CommandLineTool
import CommandRuntime
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import Files
import HostServices
import JSON

/// `host bundle`: makes a bundle of built products and manifests, or of scripts, and verifies it.
enum BundleCommand: HostSubcommand {
  static let section = CommandSection.develop

  static let command = Command(
    "bundle", summary: "Make a bundle of built products and manifests, and verify it",
    discussion: """
      DIR is a Swift package with a folder Manifests, a folder of manifests and scripts, or a folder with a bundle. \
      Programs come from the folder that Annex.Products of their manifests names, or from .build/release or \
      .build/debug. A script comes with its folder and the files that links there lead to. Property lists in the \
      folder Points beside the manifests, which announce extension points, are copied too.

      Build settings such as $(PRODUCT_NAME) have their usual values. --set gives any other a value for all \
      manifests; PRODUCT_BUNDLE_IDENTIFIER is the app's, and its extensions' identifiers begin with it.

      The bundle is checked as by host verify. It is written whole or not at all, and replaces a bundle of the same \
      name.
      """,
    example: "host bundle Weather -o Weather.app",
    options: [
      .value("set", "NAME=VALUE", "Give a build setting a value; may be given several times", isRepeatable: true),
      .value("products", "DIR", "The folder of the built programs", values: .directory),
      .value(
        "output", short: "o", "BUNDLE",
        "The bundle to write (default: NAME.app, or out/NAME.app beside a bundle of that name)"),
    ],
    arguments: [CommandArgument("DIR", "The folder of a project", values: .directory)])

  /// How long copying and checking may take.
  private static let limit = Duration.seconds(120)

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let parsed = invocation.parsed
    let maker = try BundleMaker(
      parsed.argument("DIR") ?? "", settings: try settings(parsed.values("set")), products: parsed.value("products"))
    let target = try target(parsed.value("output"), of: maker)
    let verify = try invocation.verifier()
    let problems = try await SystemThread.run(name: "annex-bundle", within: limit, on: invocation.loop) { _ in
      var found: [ManifestProblem] = []
      try maker.make(target) { path in
        let verification = try verify(path)
        found = verification.problems.map { $0.naming(target, for: verification.path) }
        guard verification.isAcceptable else { throw refusal(of: target, found) }
      }
      return found
    }
    if invocation.wantsJSON {
      invocation.printJSON(["bundle": .string(target), "problems": ManifestProblemList.document(problems)])
    } else {
      for problem in problems { invocation.console.warn("\(problem)") }
      invocation.console.print("\(target)")
      invocation.console.note("To use it: host add \(shellWord(target))")
    }
    return .success
  }

  static func settings(_ assignments: [String]) throws(CommandLineError) -> BuildSettings {
    var settings = BuildSettings()
    for text in assignments where !settings.set(text) {
      throw CommandLineError(
        "“\(text.escapedForTerminal)” gives no build setting a value.",
        help: "Write --set NAME=VALUE: --set PRODUCT_BUNDLE_IDENTIFIER=org.example.notes.")
    }
    return settings
  }

  /// The path of the bundle. Nothing but a bundle is replaced.
  private static func target(_ output: String?, of maker: BundleMaker) throws -> String {
    let name = try maker.name()
    // A project of scripts is a bundle itself, which is not replaced by its copy.
    var target = try output ?? (maker.isSource("./\(name)") ? "./out/\(name)" : "./\(name)")
    while target.count > 1, target.hasSuffix("/") { target.removeLast() }
    let ending = name.hasSuffix(".appex") ? ".appex" : ".app"
    guard target.hasSuffix(ending) else {
      throw CommandLineError(
        "“\(target.escapedForTerminal)” is not a name of a bundle.", help: "End it in \(ending): -o \(name).")
    }
    let isBundle = FileStatus("\(target)/Info.plist", followsLink: true) != nil
    guard FileStatus(target) == nil || (isBundle && FileStatus(target)?.kind == .directory) else {
      throw ExtensionError(
        .storeFailed, "\(target) is there already, and is not a bundle.", recovery: "Choose another place with -o.")
    }
    return target
  }

  private static func refusal(of target: String, _ problems: [ManifestProblem]) -> ExtensionError {
    let errors = problems.filter { $0.severity == .error }
    return ExtensionError(
      .extensionInvalid, "\(target) was not made: it would have \(errors.count) error\(errors.count == 1 ? "" : "s").",
      recovery: errors.first?.recovery, details: ["problems": ManifestProblemList.document(problems)],
      cause: errors.map(\.description))
  }
}

extension ManifestProblem {
  /// The problem with another name for the folder that it was found in.
  fileprivate func naming(_ name: String, for path: String) -> ManifestProblem {
    ManifestProblem(
      severity, file: file?.replacing(path, with: name), line: line, keyPath: keyPath,
      message.replacing(path, with: name), recovery: recovery.replacing(path, with: name))
  }
}
