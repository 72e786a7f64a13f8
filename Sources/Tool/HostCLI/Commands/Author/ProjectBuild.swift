import Authoring
import EventLoop
import ExtensionProtocol
import Files
import Glibc

/// Builds a project: with `swift build`, with `make`, or, for scripts, by having their interpreters read them.
struct ProjectBuild {
  let folder: String
  let environment: [String: String]

  var isSwift: Bool { FileStatus("\(folder)/Package.swift", followsLink: true) != nil }

  /// Whether a `Makefile` builds the programs of a bundle.
  var isMade: Bool { !isSwift && FileStatus("\(folder)/Makefile", followsLink: true) != nil }

  /// What the build says goes to standard error.
  ///
  /// - Returns: whether it succeeded.
  func run(_ sources: SourceStamps, on loop: EventLoop) async throws -> Bool {
    if isSwift {
      guard let swift = program("swift") else {
        throw ExtensionError(
          .launchFailed, "There is no swift command.", recovery: "Put usr/bin of a Swift toolchain on PATH.")
      }
      return try await succeeds(swift, ["build", "--package-path", folder], on: loop)
    }
    if isMade {
      guard let make = program("make") else {
        throw ExtensionError(.launchFailed, "There is no make command.", recovery: "Install Debian's package make.")
      }
      return try await succeeds(make, ["-C", folder], on: loop)
    }
    let python = sources.files(endingIn: [".py"])
    if !python.isEmpty, !(try await succeeds(try interpreter(.python), ["-c", Self.compile] + python, on: loop)) {
      return false
    }
    for file in sources.files(endingIn: [".mjs", ".cjs", ".js"]) where !file.contains("/annex/") {
      if !(try await succeeds(try interpreter(.node), ["--check", file], on: loop)) { return false }
    }
    return true
  }

  /// Has each file read as Python reads it before it runs; nothing is run.
  private static let compile = """
    import sys
    for path in sys.argv[1:]:
        try:
            compile(open(path, "rb").read(), path, "exec")
        except (SyntaxError, ValueError) as error:
            sys.exit(f"{path}:{getattr(error, 'lineno', None) or 1}: {error}")
    """

  private func interpreter(_ language: ProjectLanguage) throws(ExtensionError) -> String {
    guard let path = language.interpreter?.program, FileStatus(path, followsLink: true)?.isExecutable == true else {
      throw ExtensionError(
        .launchFailed, "There is no interpreter for \(language.rawValue).",
        recovery: "Install Debian's package python3 or nodejs.")
    }
    return path
  }

  private func succeeds(_ path: String, _ arguments: [String], on loop: EventLoop) async throws -> Bool {
    var child = ChildCommand(path: path, arguments: arguments, environment: environment)
    child.output = STDERR_FILENO
    return try await child.run(on: loop) == 0
  }

  private func program(_ name: String) -> String? {
    (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}
