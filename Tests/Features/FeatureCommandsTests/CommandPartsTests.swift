import CommandLineTool
import CommandRuntime
import DataConnectCompiler
import ExtensionProtocol
import Foundation
import ImageFile
import TestSupport
import Testing

@testable import DataConnectGenerator
@testable import FeatureCommands

/// Small rules of the commands.
@Suite(.timeLimit(.minutes(1)))
struct `A part of a command` {
  private let stage: FeatureStage

  init() throws { stage = try FeatureStage(DataCommand.command) }

  static let formats: [(name: String, format: ImageFormat?)] = [
    ("a.jpg", .jpeg), ("a.JPG", .jpeg), ("a.jpeg", .jpeg), ("a/b.c/d.e.webp", .webp), ("a.PNG", .png), ("a.gif", .gif),
    ("png", nil), (".png", nil), ("a.txt", nil), ("a.png/b", nil), ("", nil), ("a.", nil),
  ]

  @Test(arguments: formats) func `takes the format of a picture from the ending of a name`(
    name: String, format: ImageFormat?
  ) {
    #expect(FragmentPicture.format(ofName: name) == format)
  }

  @Test func `takes a name and its version apart, and no version without a name`() throws {
    for (text, name, version) in [("a", "a", nil), ("a@1.2", "a", "1.2"), ("a@", "a", nil), ("a@1@2", "a", "1@2")]
      as [(String, String, String?)]
    {
      let named = try IndexAccess.named(text)
      #expect(named.identifier == name && named.version == version, "\(text)")
    }
    for text in ["@1.2", "@", ""] {
      let error = #expect(throws: CommandLineError.self) { _ = try IndexAccess.named(text) }
      #expect(error?.message == "“\(text)” names no bundle.")
    }
  }

  @Test func `says of four statuses what they mean`() {
    for (status, word) in [(401, "sign-in"), (403, "refuses"), (404, "no such file"), (410, "gone")] {
      #expect(OwnTransfer.words(for: status).hasPrefix("\(status) (") && OwnTransfer.words(for: status).contains(word))
    }
    #expect(OwnTransfer.words(for: 500) == "500" && OwnTransfer.words(for: 400) == "400")
  }

  @Test func `keeps a document in the user's hands in a folder of its own, until it is removed`() throws {
    let state = try stage.invocation("compile").state()
    let one = try WorkingCopy(of: "../a.txt", [1, 2], in: state)
    let other = try WorkingCopy(of: "a.txt", [3], in: state)
    #expect(one.path != other.path && one.path.hasSuffix("/a.txt") && other.path.hasSuffix("/a.txt"))
    #expect(one.path.hasPrefix("\(stage.home)/documents/"))
    #expect(try one.read() == [1, 2])
    one.remove()
    #expect(throws: InputError.self) { try one.read() }
    #expect(try other.read() == [3])
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(stage.home)/documents").count == 1)
  }

  // MARK: Generation

  private func told(_ written: [String], removed: [String] = [], unchanged: [String] = []) throws -> String {
    stage.clear()
    let package = DataGenerate.Outcome.Package(
      folder: "p", written: GeneratedPackage.Outcome(written: written, unchanged: unchanged, removed: removed))
    let outcome = DataGenerate.Outcome(problems: [], folders: [], packages: [package])
    #expect(outcome.hasChanged == !(written + removed).isEmpty && !outcome.hasErrors)
    outcome.tell(try stage.invocation("generate").console)
    return stage.output
  }

  @Test func `says how many files it has written, or that all are as they were`() throws {
    #expect(try told([], unchanged: ["a"]) == "p: unchanged\n")
    #expect(try told(["a"]) == "p: 1 file written\n")
    #expect(try told(["a", "b"], unchanged: ["c"]) == "p: 2 files written\n")
    #expect(try told([], removed: ["a"]) == "p: 0 files written\n")
  }

  @Test func `tells errors also where it is to be quiet`() throws {
    let problems = [
      CompilerProblem(.warning, "Careful.", fix: "Look.", code: "w", at: nil),
      CompilerProblem(.error, "No.", fix: "Mend it.", code: "e", at: nil),
    ]
    problems.tell(try stage.invocation("compile").console)
    #expect(stage.errors == "warning: Careful.\n  help: Look.\nerror: No.\n  help: Mend it.\n")
    stage.clear()
    problems.tell(try stage.invocation("compile", verbosity: .quiet).console)
    #expect(stage.errors == "error: No.\n  help: Mend it.\n")
  }

  @Test func `finds this package by a folder that has one, or by an address`() throws {
    let root = URL(fileURLWithPath: stage.folder.path).resolvingSymlinksInPath().path
    let none = #expect(throws: Failure.self) { try AnnexPlace(try stage.invocation("generate", "--annex", root)) }
    #expect(none?.status == .noInput)
    #expect(none?.error.message == "There is no Swift package in “\(root)”.")
    _ = try stage.folder.write("", to: "Package.swift")
    #expect(try AnnexPlace(try stage.invocation("generate", "--annex", "\(root)/.")).folder == root)
    let address = "https://example.com/annex.git"
    #expect(try AnnexPlace(try stage.invocation("generate", "--annex", address)).folder == nil)
  }
}
