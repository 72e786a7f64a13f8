import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import Foundation
import TestSupport
import Testing

@testable import FeatureCommands

@Suite(.timeLimit(.minutes(1)))
struct `The folder of a service's private database` {
  @Test(arguments: ["a", "Movies-2_x", String(repeating: "s", count: 63)])
  func `is called as the service where that is the name of a folder`(id: String) {
    #expect(DataPlace.folderName(id) == id)
  }

  @Test func `is another one for each service, and always one folder`() {
    let long = String(repeating: "s", count: 63)
    let ids = [
      "", "_", ".", "..", "a.b", "a_b", "a/b", "a b", "é", "e\u{301}", "١", long, long + "s", long + "t", "a\0b",
      "../a",
    ]
    let names = ids.map(DataPlace.folderName)
    #expect(Set(names).count == ids.count)
    for name in names {
      #expect((1...63).contains(name.utf8.count) && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2F })
      #expect(!name.hasPrefix(".") && !name.hasSuffix(".removed"), "\(name)")
    }
  }
}

/// The database that a command line means, and the role of its operations.
@Suite(.timeLimit(.minutes(1)))
struct `The database of a service` {
  private static let variable = "FIREBASE_DATACONNECT_POSTGRESQL_STRING"
  private let stage: FeatureStage

  init() throws { stage = try FeatureStage(DataEmulate.command) }

  private func place(_ words: String..., environment: [String: String] = [:]) throws -> DataPlace {
    let service = CompiledServices.Service(folder: stage.folder.path, source: nil, project: nil, problems: [])
    return try DataPlace(try stage.invocation(words, environment: environment), service)
  }

  @Test func `is named without a password, or by the environment`() throws {
    let (plain, secret) = ("postgresql://user@localhost/films", "postgresql://user:secret@localhost/films")
    #expect(throws: Never.self) { try place("--database", plain) }
    #expect(throws: Never.self) { try place(environment: [Self.variable: secret]) }
    for environment in [[:], [Self.variable: plain]] as [[String: String]] {
      let error = #expect(throws: ExtensionError.self) {
        try place("--database", secret, environment: environment)
      }
      #expect(
        error?.message == "--database: A password on a command line can be read by everybody on the machine.")
    }
    let other = #expect(throws: ExtensionError.self) { try place("--database", "films") }
    #expect(other?.message == "--database: The URL of the database does not begin with postgresql://.")
  }

  @Test func `is begun anew, or taken away at the end, where it is the private one`() throws {
    #expect(throws: Never.self) { try place("--ephemeral", "--reset") }
    for flag in ["--ephemeral", "--reset"] {
      let error = #expect(throws: CommandLineError.self) {
        try place(flag, environment: [Self.variable: "postgresql://user@localhost/films"])
      }
      #expect(error?.message.hasPrefix("--ephemeral and --reset are about the private database") == true)
    }
  }

  @Test func `has a role whose key stays, and is made anew where it is none`() throws {
    var key = try place().roleKey()
    #expect(key.count == 64)
    #expect(try place().roleKey() == key)
    let folder = try stage.invocation().state().folder("data")
    for count in [0, 63] {
      try Data(repeating: 0x61, count: count).write(to: URL(fileURLWithPath: "\(folder)/role.key"))
      let next = try place().roleKey()
      #expect(next.count == 64 && next != key)
      #expect(try place().roleKey() == next)
      key = next
    }
  }
}
