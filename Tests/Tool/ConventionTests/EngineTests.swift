import Testing

@Suite(.timeLimit(.minutes(1))) struct `The engine` {
  /// Modules that work with any feature or with none. The others above the features are lists of them.
  private static let modules = [
    "Activation", "CommandRuntime", "Conformance", "ExtensionHosting", "ExtensionProtocol", "ExtensionRuntime",
    "ExtensionTesting", "HostCLI", "Sandbox", "SandboxTrials",
  ]

  /// The extension points that features declare: the names in Swift and the identifiers.
  private static let points = SourceTree.files(below: "Sources/Features").flatMap { file in
    file.text.matches(of: #/static let (\w+) = ExtensionPoint\(rawValue: "([^"]+)"\)/#)
      .map { (name: String($0.1), identifier: String($0.2)) }
  }

  @Test func `names no extension point`() {
    #expect(Self.points.count >= 8)
    for module in Self.modules {
      for file in House.files(of: module) {
        for point in Self.points {
          #expect(!file.code.names(".\(point.name)"), "\(file.path) names .\(point.name)")
          #expect(!file.text.contains("\"\(point.identifier)\""), "\(file.path) names \(point.identifier)")
        }
      }
    }
  }

  @Test func `is tested without features`() {
    for suite in ["ExtensionHostingTests", "ExtensionProtocolTests", "SandboxTests"] {
      for file in SourceTree.files(below: "Tests/Engine/\(suite)") {
        for point in Self.points where file.text.contains(point.identifier) {
          Issue.record("\(file.path) names \(point.identifier)")
        }
      }
    }
  }
}

extension String {
  /// Whether a member is named without what it is a member of.
  fileprivate func names(_ member: String) -> Bool {
    var rest = self[...]
    while let found = rest.firstRange(of: member) {
      let before = found.lowerBound > startIndex ? self[index(before: found.lowerBound)] : " "
      let after = found.upperBound < endIndex ? self[found.upperBound] : " "
      if !before.isLetter, !before.isNumber, !"_)]}?!>`".contains(before), !after.isLetter, !after.isNumber,
        after != "_"
      {
        return true
      }
      rest = rest[found.upperBound...]
    }
    return false
  }
}
