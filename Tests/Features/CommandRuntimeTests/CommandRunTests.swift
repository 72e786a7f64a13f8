import CommandLineTool
import ConfigurationFiles
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import Foundation
import GroupStore
import JSON
import JSONRPC
import Synchronization
import TestSupport
import Testing

@testable import CommandRuntime

/// One run of a command, beside its features.
@Suite(.timeLimit(.minutes(1)))
struct `A run of a command` {
  private let stage: CommandStage

  init() throws { stage = try CommandStage() }

  // MARK: Signals

  @Test func `hands a signal to its part that listens, and cancels nothing then`() async {
    let interruption = Interruption()
    let heard = Mutex(0)
    #expect(!interruption.take(SIGINT) && interruption.signal == nil)
    await interruption.heard(by: { heard.withLock { $0 += 1 } }) {
      #expect(interruption.take(SIGTERM))
      #expect(interruption.signal == SIGTERM)
    }
    // When the part is over, signals end the command again; which one was heard stays known.
    #expect(
      !interruption.take(SIGHUP) && interruption.signal == SIGTERM && heard.withLock(\.self) == 1)
    struct Failed: Error {}
    await #expect(throws: Failed.self) { try await interruption.heard(by: {}) { throw Failed() } }
    #expect(!interruption.take(SIGINT))
  }

  @Test func `has work beside it that ends with it`() async throws {
    let loop = EventLoop.onThread(name: "beside")
    let background = Background()
    let ended = Mutex<[String]>([])
    @Sendable func work(_ name: String) async {
      await withTaskCancellationHandler {
        let (never, source) = AsyncStream.makeStream(of: Void.self)
        for await _ in never {}
        source.finish()
      } onCancel: {
        ended.withLock { $0.append(name) }
      }
    }
    let (begun, source) = AsyncStream.makeStream(of: Void.self)
    background.add {
      source.yield()
      await work("before")
    }
    let value = try await background.beside(on: loop) {
      background.add {
        source.yield()
        await work("within")
      }
      var count = 0
      for await _ in begun {
        count += 1
        if count == 2 { break }
      }
      let isQuiet = ended.withLock { $0.isEmpty }
      #expect(isQuiet)
      return 5
    }
    let names = ended.withLock { $0.sorted() }
    #expect(value == 5 && names == ["before", "within"])
    struct Failed: Error {}
    await #expect(throws: Failed.self) {
      try await Background().beside(on: loop) { throw Failed() }
    }
  }

  @Test func `that watches ends well, and with the error of what fails`() async throws {
    let invocation = try stage.invocation("watch")
    #expect(try await invocation.watching {} == .success)
    await #expect(throws: InputError.self) {
      try await invocation.watching { throw InputError(message: "x") }
    }
  }

  // MARK: Servers

  private struct Refusal: LocalServerFailure {
    let message = "The port is taken."
    let recovery = "Take another."
  }

  @Test func `that serves says where, and what to try`() async throws {
    try await stage.invocation("run").serving(introduction: { ["At \($0)."] }) { $0("http://x:1") }
    #expect(
      stage.output == "ready http://x:1\n"
        && stage.errors == "At http://x:1.\nPress Ctrl-C to end.\n")
    stage.clear()
    try await stage.invocation("run", "--json").serving(introduction: { ["At \($0)."] }) {
      $0("http://x:1")
    }
    #expect(stage.errors == "" && stage.output.split(separator: "\n").count == 1)
    #expect(try JSONValue(parsing: stage.output) == ["ready": "http://x:1"])
    let error = await #expect(throws: ExtensionError.self) {
      try await stage.invocation("run").serving(introduction: { _ in [] }) { _ in throw Refusal() }
    }
    #expect(error?.code == .serviceUnavailable)
    #expect(error?.message == "The port is taken." && error?.recovery == "Take another.")
  }

  @Test func `has a line for each request at a terminal and with --verbose`() throws {
    let terminal = Terminal(width: 80, showsStyles: false)
    for (console, isLogged) in [
      (stage.console(), false), (stage.console(.verbose), true),
      (stage.console(errorTerminal: terminal), true),
      (stage.console(.quiet, errorTerminal: terminal), false),
      (stage.console(terminal: terminal), false),
    ] {
      stage.clear()
      try stage.invocation("run", console: console).requestLog?("GET /")
      #expect(stage.errors.contains("GET /") == isLogged)
    }
  }

  // MARK: The command line

  @Test func `lists subcommands where none is named, and as an error for programs`() throws {
    #expect(try stage.invocation("run", "one").namesSubcommand() && stage.output == "")
    #expect(try !stage.invocation("run").namesSubcommand())
    #expect(stage.output.contains("one") && !stage.output.hasPrefix("{"))
    stage.clear()
    #expect(try !stage.invocation("run", "--json").namesSubcommand())
    #expect(try JSONValue(parsing: stage.output)["message"] == "host run needs a command.")
  }

  @Test func `knows by whom it was started, and where its recording goes`() throws {
    #expect(try !stage.invocation("run").isForAuthor)
    let author = ["ANNEX_HOME": stage.home, Invocation.authorVariable: ""]
    #expect(try stage.invocation("run", environment: author).isForAuthor)
    #expect(try stage.invocation("run").trace == nil)
    #expect(try stage.invocation("run", "--trace", "f").trace?.path == "f")
  }

  @Test func `writes no recording of nothing, and passes on how it ended`() throws {
    struct Failed: Error {}
    let file = stage.folder.file("trace")
    let invocation = try stage.invocation("run")
    #expect(try TraceFile(path: file).write(after: .success(5), for: invocation) == 5)
    #expect(throws: Failed.self) {
      try TraceFile(path: file).write(
        after: Result<Int, any Error>.failure(Failed()), for: invocation)
    }
    #expect(
      !FileManager.default.fileExists(atPath: file) && stage.output == "" && stage.errors == "")
  }

  @Test func `writes its recording also when it failed, and says what failed when neither went well`() throws {
    struct Failed: Error {}
    let invocation = try stage.invocation("run")
    let failed = Result<Int, any Error>.failure(Failed())
    func trace(_ path: String?, frames: Int = 1) -> TraceFile {
      let trace = TraceFile(path: path)
      for _ in 0..<frames { trace.recorder.tap("org.a").see(.incoming, Array("{\"a\":\"\u{9B}2J\"}".utf8)) }
      return trace
    }
    let file = stage.folder.file("trace")
    #expect(throws: Failed.self) { try trace(file, frames: 2).write(after: failed, for: invocation) }
    let text = try String(contentsOfFile: file, encoding: .utf8)
    // The text is safe for a terminal.
    #expect(text.split(separator: "\n").count == 2 && text.contains("\\u009b2J") && text.contains("org.a"))
    #expect(stage.output == "" && stage.errors == "Recorded 2 frames in \(file).\n")
    stage.clear()
    let none = stage.folder.file("none/trace")
    #expect(throws: Failed.self) { try trace(none).write(after: failed, for: invocation) }
    #expect(stage.errors.hasPrefix("warning: The recording was not written: ") && !stage.errors.contains("OutputError"))
    stage.clear()
    #expect(throws: OutputError.self) { try trace(none).write(after: .success(5), for: invocation) }
    #expect(stage.errors == "" && stage.output == "")
    #expect(try trace(nil).write(after: .success(5), for: invocation) == 5)
    #expect(stage.output.hasSuffix("\n") && stage.output.contains("\\u009b2J"))
    #expect(stage.errors == "Recorded 1 frames.\n")
  }

  // MARK: Progress

  @Test func `says each tenth once, where there is no terminal`() throws {
    let progress = ShownProgress("file", try stage.invocation("run"))
    for part in [0.0, 0.05, 0.1, 0.15, 0.1, 0.39, .nan, .infinity, 2] {
      progress.show(CallProgress(part, total: 1))
    }
    progress.show(CallProgress(1, total: 1))
    #expect(stage.errors == "file: 10%\nfile: 39%\nfile: 100%\n")
    stage.clear()
    let other = ShownProgress("file", try stage.invocation("run"))
    other.show(CallProgress(1))
    other.show(CallProgress(1, total: 0))
    other.show(CallProgress(-5, total: 1))
    #expect(stage.errors == "")
    other.finish()
    other.show(CallProgress(5, total: 10))
    #expect(stage.errors == "")
    ShownProgress("file", try stage.invocation("run", "--json")).show(CallProgress(1, total: 1))
    #expect(stage.errors == "" && stage.output == "")
  }

  // MARK: Settings and the store

  @Test func `reads its settings once, and warns once`() throws {
    let file = try stage.folder.write(
      "A[sdk=x] = 1\nA = 2\n", to: "x.xcconfig")
    let invocation = try stage.invocation("run", "--config", file)
    #expect(try invocation.settings()?["A"] == "2")
    let said = stage.errors
    #expect(said.components(separatedBy: "warning: ").count == 2 && said.contains("x.xcconfig"))
    _ = try stage.folder.write("A = 3\n", to: "x.xcconfig")
    #expect(try invocation.settings()?["A"] == "2" && stage.errors == said)
    #expect(try stage.invocation("run").settings() == nil)
    try FileManager.default.createDirectory(atPath: stage.home, withIntermediateDirectories: true)
    _ = try stage.folder.write("A = 4\n", to: "home/Config.xcconfig")
    #expect(try stage.invocation("run").settings()?["A"] == "4")
    #expect(try stage.invocation("run", "--config", file).settings()?["A"] == "3")
    let failure = #expect(throws: Failure.self) {
      try stage.invocation("run", "--config", "/no/such").settings()
    }
    #expect(failure?.status == .configuration && failure?.error.code == .invalidParams)
  }

  @Test func `keeps the store in a file, or where the first of three names it`() throws {
    let environment = ["ANNEX_HOME": stage.home, "ANNEX_STORE": "postgresql://env"]
    #expect(try stage.invocation("run").storeURL() == nil)
    #expect(try StorePlace(stage.invocation("run")).database == nil)
    #expect(try stage.invocation("run").databaseStore() == nil)
    #expect(try stage.invocation("run", environment: environment).storeURL() == "postgresql://env")
    #expect(
      try stage.invocation("run", "--store", "postgresql://line", environment: environment)
        .storeURL() == "postgresql://line")
    let file = try stage.folder.write("ANNEX_STORE = postgresql:/$()/file\n", to: "x.xcconfig")
    #expect(try stage.invocation("run", "--config", file).storeURL() == "postgresql://file")
    #expect(
      try stage.invocation("run", "--config", file, "--store", "postgresql://line").storeURL()
        == "postgresql://line")
    let empty = try stage.folder.write("ANNEX_STORE =\n", to: "y.xcconfig")
    #expect(try stage.invocation("run", "--config", empty).storeURL() == nil)
    // The tool itself has no client; what names the database is said, and not the URL.
    for (words, place) in [
      (["--store", "postgresql://a:secret@b"], "--store"), (["--config", file], file),
    ] {
      let error = #expect(throws: ExtensionError.self) {
        try StorePlace(stage.invocation(["run"] + words))
      }
      #expect(error?.message == "\(place) names a database, and this program has no client for it.")
    }
    let variable = #expect(throws: ExtensionError.self) {
      try StorePlace(stage.invocation("run", environment: environment))
    }
    #expect(variable?.message.hasPrefix("ANNEX_STORE names a database") == true)
  }

  // MARK: The dependency on Annex

  @Test func `depends on Annex by an address, or by a folder with a package`() throws {
    let address = try #require(AnnexDependency("https://example.com/x/annex.git"))
    #expect(address.package == "annex")
    #expect(
      address.declaration == #".package(url: "https://example.com/x/annex.git", branch: "main")"#)
    #expect(AnnexDependency("git@example.com:x/other")?.package == "other")
    #expect(AnnexDependency("https://example.com/a\"b")?.declaration.contains(#"a\"b"#) == true)
    #expect(
      AnnexDependency(stage.folder.path) == nil && AnnexDependency(stage.folder.file("none")) == nil
    )
    _ = try stage.folder.write("", to: "Package.swift")
    let folder = try #require(AnnexDependency("\(stage.folder.path)/."))
    let path = URL(fileURLWithPath: stage.folder.path).resolvingSymlinksInPath().path
    #expect(
      folder.package == "annex"
        && folder.declaration == ".package(name: \"annex\", path: \"\(path)\")")
  }
}

/// Seals, as far as the tool itself looks.
@Suite(.timeLimit(.minutes(1)))
struct `A look at the seal of a bundle` {
  @Test func `finds one in the bundle, or in an extension in it`() throws {
    let folder = try TemporaryDirectory()
    func make(_ path: String) throws {
      try FileManager.default.createDirectory(
        atPath: folder.file(path), withIntermediateDirectories: true)
    }
    try make("A.app/PlugIns/X.appex")
    try make("A.app/PlugIns/other/_CodeSignature")
    #expect(
      !SealPlace.isSealed(folder.file("A.app")) && !SealPlace.isSealed(folder.file("none.app")))
    try make("A.app/PlugIns/Y.appex/_CodeSignature")
    #expect(SealPlace.isSealed(folder.file("A.app")))
    try make("B.app")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("B.app/_CodeSignature"), withDestinationPath: "/nowhere")
    #expect(SealPlace.isSealed(folder.file("B.app")))
    let stage = try CommandStage()
    #expect(SealPlace.needsLibraries(folder.file("A.app"), try stage.invocation("run")))
    try make("C.app")
    #expect(!SealPlace.needsLibraries(folder.file("C.app"), try stage.invocation("run")))
    let error = #expect(throws: ExtensionError.self) { try stage.invocation("run").signedBundles() }
    #expect(error?.code == .serviceUnavailable)
  }

  @Test func `is reported with the team, or without one`() {
    #expect(SealReport.unsigned.document == ["state": "unsigned", "team": .null, "changes": []])
    let report = SealReport(
      state: "changed", sentence: "s", team: (name: "T", fingerprint: "f"), changes: ["a", "b"],
      refusal: nil)
    #expect(
      report.document == [
        "state": "changed", "team": ["name": "T", "fingerprint": "f"], "changes": ["a", "b"],
      ])
  }
}
