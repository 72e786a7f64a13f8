import ExtensionProtocol
import JSON
import Testing

@testable import PageCommand

/// What the forms of the page ask for.
@Suite(.timeLimit(.minutes(1)))
struct `A form of the page` {
  @Test func `signs an account of an app out`() {
    let asked = AccountsPage.signOut(in: ["do": "sign-out", "app": "org.example.a", "account": "1", "form": "k"])
    #expect(asked?.app == "org.example.a" && asked?.account == "1")
  }

  @Test(
    arguments: [
      [:], ["do": "sign-out"], ["do": "sign-out", "app": "a"], ["do": "sign-out", "account": "1"],
      ["app": "a", "account": "1"], ["do": "sign-in", "app": "a", "account": "1"],
    ] as [[String: String]])
  func `signs nobody out without saying whom`(form: [String: String]) {
    #expect(AccountsPage.signOut(in: form) == nil)
  }

  @Test func `cancels a transfer by its number`() {
    #expect(SessionsPage.cancelled(in: ["do": "cancel", "task": "7"]) == 7)
    #expect(SessionsPage.cancelled(in: ["do": "cancel", "task": "9223372036854775807"]) == .max)
  }

  @Test(
    arguments: [
      [:], ["task": "7"], ["do": "cancel"], ["do": "pause", "task": "7"], ["do": "cancel", "task": ""],
      ["do": "cancel", "task": "x"], ["do": "cancel", "task": "7 "], ["do": "cancel", "task": "9223372036854775808"],
    ] as [[String: String]])
  func `cancels nothing that is no transfer`(form: [String: String]) {
    #expect(SessionsPage.cancelled(in: form) == nil)
  }

  @Test func `has what the user agreed to, each once`() {
    #expect(BundlesPage.agreed(in: [:]) == [] && BundlesPage.agreed(in: ["agreed": ""]) == [])
    #expect(BundlesPage.agreed(in: ["agreed": "a"]) == ["a"])
    #expect(BundlesPage.agreed(in: ["agreed": ",a,b,,a"]) == ["a", "b"])
  }

  @Test func `has at most 64 of them`() {
    let agreed = BundlesPage.agreed(in: ["agreed": (1...70).map { "\($0)" }.joined(separator: ",")])
    #expect(agreed == Set((1...64).map { "\($0)" }))
  }

  @Test(arguments: ["", " ", "\n\t "]) func `has no variables where nothing was typed`(typed: String) throws {
    #expect(try DataPage.variables(typed) == nil)
  }

  @Test func `has variables that are an object`() throws {
    #expect(try DataPage.variables("{}") == [:])
    #expect(try DataPage.variables(" {\"id\": 1}\n") == ["id": 1])
  }

  private static let wrong: [(typed: String, message: String)] = [
    ("[1]", "The variables are no object."), ("null", "The variables are no object."),
    ("\"{}\"", "The variables are no object."), ("{", "The variables are not JSON: "),
    ("id: 1", "The variables are not JSON: "), ("{} {}", "The variables are not JSON: "),
  ]

  @Test(arguments: wrong) func `is refused with other variables`(typed: String, message: String) {
    let error = #expect(throws: ExtensionError.self) { try DataPage.variables(typed) }
    #expect(error?.code == .invalidParams && error?.message.hasPrefix(message) == true)
    #expect(error?.recovery == "Write an object: {\"id\": 1}.")
  }
}

/// What the page shows.
@Suite(.timeLimit(.minutes(1)))
struct `A row of the page` {
  private static let sizes: [(bytes: Int64, text: String)] = [
    (0, "0 bytes"), (1, "1 bytes"), (999, "999 bytes"), (1_000, "1.0 kB"), (1_060, "1.1 kB"), (99_940, "99.9 kB"),
    (999_900, "999.9 kB"), (999_940, "999.9 kB"), (999_960, "1.0 MB"), (1_000_000, "1.0 MB"), (3_400_000, "3.4 MB"),
    (999_940_000, "999.9 MB"), (999_960_000, "1.0 GB"), (1_000_000_000, "1.0 GB"),
    (1_000_000_000_000, "1.0 TB"), (5_000_000_000_000_000, "5000.0 TB"),
  ]

  @Test(arguments: sizes) func `has a size of one digit behind the point`(bytes: Int64, text: String) {
    #expect(SessionsPage.size(bytes) == text)
  }

  private static func bundle(version: String?, isSigned: Bool) -> BundleDesk.Bundle {
    BundleDesk.Bundle(
      identifier: "org.example.a", path: "/a.app", name: "A", version: version, team: "T", isSigned: isSigned,
      state: nil, isRevoked: false, reasons: [], wishes: [])
  }

  @Test func `says of a signed version that it was taken back`() {
    var found = BundleDesk.Found()
    found.takenBack = ["org.example.a 7": "It lost data.", "org.example.a ": "odd"]
    #expect(found.takenBack(Self.bundle(version: "7", isSigned: true)) == "It lost data.")
    #expect(found.takenBack(Self.bundle(version: "8", isSigned: true)) == nil)
    #expect(found.takenBack(Self.bundle(version: "7", isSigned: false)) == nil)
    #expect(found.update(of: Self.bundle(version: "7", isSigned: true)) == nil)
    #expect(found.place(of: "org.example.a", "7") == nil)
  }
}
