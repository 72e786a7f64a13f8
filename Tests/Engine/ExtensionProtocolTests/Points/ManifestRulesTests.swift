import ExtensionProtocol
import PropertyList
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A rule of an extension point` {
  private func problems(
    _ point: ExtensionPoint, _ attributes: [String: PropertyListValue], section: [String: PropertyListValue] = [:]
  ) -> [ManifestProblem] {
    var all: [String: PropertyListValue] = [
      "NSExtensionPointIdentifier": .string(point.rawValue), "NSExtensionAttributes": .dictionary(attributes),
    ]
    all.merge(section) { _, new in new }
    return ManifestValidation(`A manifest`.widget(extension: all)).problems
  }

  private static let attributes = "NSExtension.NSExtensionAttributes"

  @Test(
    arguments: [
      ("Hands", ["hour", "second"], "Hands[1]", "“second” is not a hand."),
      ("Hands", [], "Hands", "The list is empty, so the extension is never offered."),
      ("Shows", ["text"], "Shows[0]", "“text” is not a type identifier."),
      ("Speaks", "en_US", "Speaks", "“en_US” is not a language tag."),
      ("IsLoud", 1, "IsLoud", "The value is of type integer, not bool."),
    ] as [(String, PropertyListValue, String, String)])
  func `checks the value of its key`(key: String, value: PropertyListValue, path: String, message: String) {
    let found = problems(.clock, [key: value])
    #expect(found.map(\.keyPath) == ["\(Self.attributes).\(path)"])
    #expect(found.map(\.message) == [message] && found.map(\.severity) == [.error])
  }

  @Test(
    arguments: [
      ("Script", "Page.js", "“Page.js” names the file with its extension."),
      ("Script", "../Page", "“../Page” does not stay inside the bundle."),
      ("Manner", "rude", "“rude” is not a manner."),
    ] as [(String, PropertyListValue, String)])
  func `checks words and files`(key: String, value: PropertyListValue, message: String) {
    let found = problems(.sender, [key: value, "NSExtensionActivationRule": "FALSEPREDICATE"])
    #expect(found.map(\.message) == [message] && found.map(\.keyPath) == ["\(Self.attributes).\(key)"])
  }

  @Test func `has no effect at another point`() {
    let found = problems(.clock, ["Manner": "loud"])
    #expect(found.map(\.severity) == [.warning])
    #expect(found.map(\.message) == ["The key has no effect at the extension point clock."])
    #expect(found.map(\.recovery) == ["It belongs to: sender. Leave it out, or change the point."])
  }

  @Test func `may be one of two points, and stand in two places`() {
    #expect(problems(.clock, ["Both": true]).isEmpty)
    let rule: [String: PropertyListValue] = ["NSExtensionActivationRule": "FALSEPREDICATE"]
    #expect(problems(.sender, rule, section: ["Both": true]).isEmpty)
    #expect(problems(.sender, rule, section: ["Both": 1]).map(\.keyPath) == ["NSExtension.Both"])
  }

  @Test func `says what has to be there`() {
    #expect(problems(.clock, ["IsLoud": true]).map(\.message) == ["A loud clock is a nuisance."])
    #expect(problems(.sender, [:]).map(\.keyPath) == ["\(Self.attributes).NSExtensionActivationRule"])
  }

  @Test func `is about a key that stands where it does not belong`() {
    #expect(problems(.clock, [:], section: ["Hands": ["hour"]]).map(\.recovery) == ["Move it to \(Self.attributes)."])
  }
}
