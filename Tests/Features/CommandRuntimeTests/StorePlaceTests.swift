import ExtensionProtocol
import GroupStore
import TestSupport
import Testing

@testable import CommandRuntime

/// Libraries that know the addresses of databases, and no database.
private struct NamedLibraries: ToolLibraries, SignedBundles {
  var versions: [(name: String, version: String)] { [] }
  var signedBundles: any SignedBundles { self }

  func tokenKey(in environment: [String: String]) -> String { "" }

  func database(_ url: String, isOnCommandLine: Bool) throws(ExtensionError) -> any StoreDatabase {
    throw ExtensionError(
      .invalidParams, isOnCommandLine ? "Everybody can read it." : "It is no address.")
  }

  func isShowable(_ url: String) -> Bool { !url.contains("secret") }

  func seal(of bundle: String, _ invocation: Invocation) async throws -> SealReport { .unsigned }

  func add(_ bundle: String, _ invocation: Invocation) async throws -> (
    path: String, problems: [ManifestProblem]
  ) {
    (bundle, [])
  }

  func release(_ identifier: String, _ invocation: Invocation) async throws {}
}

/// The database that a command line names.
@Suite(.timeLimit(.minutes(1)))
struct `The place of a group store` {
  private let stage: CommandStage

  init() throws { stage = try CommandStage() }

  private func refusal(_ words: [String], environment: [String: String] = [:]) throws
    -> ExtensionError?
  {
    let variables = ["ANNEX_HOME": stage.home].merging(environment) { $1 }
    let invocation = try stage.invocation(
      ["run"] + words, environment: variables, libraries: NamedLibraries())
    return #expect(throws: ExtensionError.self) { try StorePlace(invocation) }
  }

  @Test func `is refused with the name of what named it, and with advice that repeats no password`()
    throws
  {
    let line = try refusal(["--store", "postgresql://a:secret@b"])
    #expect(line?.code == .invalidParams && line?.message == "--store: Everybody can read it.")
    #expect(line?.recovery?.contains("secret") == false)
    #expect(line?.recovery?.hasPrefix("Write postgresql://user@host/database") == true)
    #expect(line?.recovery?.contains("\(stage.home)/Config.xcconfig may hold one too.") == true)
    let variable = try refusal([], environment: ["ANNEX_STORE": "x"])
    #expect(variable?.message == "ANNEX_STORE: It is no address.")
    let file = try stage.folder.write("ANNEX_STORE = x\n", to: "x.xcconfig")
    #expect(try refusal(["--config", file])?.message == "\(file): It is no address.")
    // What a variable and the command line both say is the variable's.
    #expect(
      try refusal(["--store", "x"], environment: ["ANNEX_STORE": "x"])?.message
        == "ANNEX_STORE: It is no address.")
    #expect(
      try refusal(["--store", "y"], environment: ["ANNEX_STORE": "x"])?.message
        == "--store: Everybody can read it.")
  }

  @Test func `is repeated in advice where the user gave it, and it holds no secret`() {
    func advised(
      _ url: String?, _ environment: [String: String], _ libraries: (any ToolLibraries)?
    ) -> String? {
      Invocation.advisedStore(url, environment: environment, libraries: libraries)
    }
    #expect(advised("x", [:], NamedLibraries()) == "x")
    #expect(advised("x", ["ANNEX_STORE": "y"], NamedLibraries()) == "x")
    #expect(advised("x", ["ANNEX_STORE": "x"], NamedLibraries()) == nil)
    #expect(advised("a:secret", [:], NamedLibraries()) == nil)
    #expect(advised(nil, [:], NamedLibraries()) == nil)
    #expect(advised("x", [:], nil) == nil)
  }
}
