import ExtensionProtocol
import PropertyList
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The key that names an extension point` {
  private static let clock = ExtensionPoint.clock.rawValue

  private func validation(_ older: String?, _ newer: PropertyListValue?) -> ManifestValidation {
    guard case .dictionary(var manifest) = `A manifest`.widget() else { return ManifestValidation("") }
    manifest["NSExtension"] = older.map { ["NSExtensionPointIdentifier": .string($0)] }
    if let newer { manifest["EXAppExtensionAttributes"] = newer }
    return ManifestValidation(.dictionary(manifest))
  }

  @Test func `may be the older one, the newer one or both`() {
    let newer: PropertyListValue = ["EXExtensionPointIdentifier": .string(Self.clock)]
    for found in [validation(Self.clock, nil), validation(nil, newer), validation(Self.clock, newer)] {
      #expect(found.problems == [] && found.manifest?.point == .clock && found.point == .clock)
    }
  }

  @Test func `is one point: two that differ are both named`() {
    let sender = ExtensionPoint.sender.rawValue
    let found = validation(Self.clock, ["EXExtensionPointIdentifier": .string(sender)])
    #expect(
      found.manifest == nil
        && found.problems.map(\.keyPath) == [
          "EXAppExtensionAttributes.EXExtensionPointIdentifier"
        ])
    let message = found.problems.first?.message ?? ""
    #expect(message.contains("“\(Self.clock)” as NSExtension.NSExtensionPointIdentifier"))
    #expect(message.contains("“\(sender)” here"))
  }

  @Test(
    arguments: ["text", [:], ["EXExtensionPointIdentifier": 1], ["EXExtensionPointIdentifier": "com.example.none"]]
      as [PropertyListValue])
  func `is told when it is none`(newer: PropertyListValue) {
    let found = validation(nil, newer)
    #expect(found.manifest == nil && found.problems.contains { $0.severity == .error })
  }

  @Test func `is looked for where an app says that it is none`() {
    let found = ManifestValidation(
      `A manifest`.app(["EXAppExtensionAttributes": ["EXExtensionPointIdentifier": .string(Self.clock)]]))
    #expect(found.problems.contains { $0.message.contains("EXAppExtensionAttributes") })
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A key that a point requires` {
  private func problems(_ attributes: [String: PropertyListValue]) -> [ManifestProblem] {
    let definition = ExtensionPointDefinition(
      .clock, shortName: "clock", role: "a clock", plural: "the clocks", limits: ExtensionLimits(memoryMiB: 1),
      manifest: ManifestRules(keys: [ManifestKey("Hands", .strings).required(), ManifestKey("IsLoud", .bool)]))
    let value = `A manifest`.widget(extension: ["NSExtensionAttributes": .dictionary(attributes)])
    return ManifestValidation(value, points: ExtensionPointTable([definition])).problems
  }

  @Test func `is missed`() {
    #expect(problems(["Hands": ["hour"]]) == [])
    #expect(problems([:]).map(\.keyPath) == ["NSExtension.NSExtensionAttributes.Hands"])
    #expect(problems([:]).map(\.message) == ["An extension for clock has the key Hands; this one has not."])
    #expect(problems(["IsLoud": true]).count == 1)
  }
}
