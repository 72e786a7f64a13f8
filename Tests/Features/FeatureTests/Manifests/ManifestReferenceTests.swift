import ExtensionHosting
import Foundation
import HostServices
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The reference of manifests` {
  private static let reference = ManifestReference(points: Features.points)

  @Test func `is the article, which “host api --manifest” prints`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../../Sources/Documentation/AppExtensions.docc/Manifest.md")
    let article = try String(contentsOf: file, encoding: .utf8)
    #expect(
      Self.reference.article == article, "Run make regenerate.")
  }

  @Test func `says of each key what it is for, and has an example`() {
    for key in Self.reference.sections.flatMap(\.keys) {
      #expect(key.summary.hasSuffix(".") && !key.form.isEmpty, "\(key.path)")
      #expect(key.example != .string(""), "\(key.path)")
    }
  }

  @Test func `has every key of the samples`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../Manifests")
    let known = Set(Self.reference.sections.flatMap(\.keys).map(\.path))
    var seen = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".plist") {
      let data = try Data(contentsOf: folder.appending(path: name))
      let list = try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
      for (key, value) in list {
        #expect(known.contains(key), "\(name): \(key)")
        seen += 1
        guard ["NSExtension", "Annex"].contains(key), let inner = value as? [String: Any] else { continue }
        for name in inner.keys { #expect(known.contains("\(key).\(name)"), "\(key).\(name)") }
      }
    }
    #expect(seen > 50)
  }

  /// Their examples are for an app, and for a point that takes items.
  private static let others = ["Annex.Identity", "CFBundleURLTypes", "NSExtension.NSExtensionAttributes"]

  /// Every example, at its place in a manifest for each point that the key belongs to, is one that the checks take.
  @Test(arguments: try Cases.present(reference.sections.flatMap(\.keys))) func `has examples that are right`(
    key: ManifestReference.Key
  ) {
    let points = Features.points.points.filter { key.points.isEmpty || key.points.contains($0.shortName) }
    for point in points.prefix(key.points.isEmpty ? 1 : points.count) {
      var base: [String: PropertyListValue] = [
        "CFBundleIdentifier": "com.example.notes.clock", "CFBundleExecutable": "Clock", "CFBundlePackageType": "XPC!",
        "CFBundleVersion": "1", "NSExtension": ["NSExtensionPointIdentifier": .string(point.rawValue)],
        "Entitlements": ["com.apple.security.application-groups": ["group.com.example.notes"]],
      ]
      if key.path.hasPrefix("Annex.Interpreter") { base["Annex"] = ["Interpreter": "/usr/bin/python3"] }
      if key.path.hasPrefix("UT"), key.path.contains("[]") {
        base["UTExportedTypeDeclarations"] = [["UTTypeIdentifier": "com.example.note"]]
      }
      let manifest = Self.merged(.dictionary(base), key.manifest)
      let own = key.path.replacing("[]", with: "[0]")
      let problems = ManifestValidation(manifest, points: Features.points).problems
        .filter { $0.keyPath == own || $0.keyPath.hasPrefix("\(own)[") || $0.keyPath.hasPrefix("\(own).") }
        .filter { !(Self.others.contains(key.path) && $0.severity == .warning) }
      #expect(problems == [], "\(point.shortName)")
    }
  }

  /// Dictionaries, and the first elements of arrays, are taken together; else the second value counts.
  private static func merged(_ one: PropertyListValue, _ other: PropertyListValue) -> PropertyListValue {
    switch (one, other) {
    case (.dictionary(let first), .dictionary(let second)): .dictionary(first.merging(second, uniquingKeysWith: merged))
    case (.array(let first), .array(let second)) where first.count == 1 && second.count == 1:
      .array([merged(first[0], second[0])])
    default: other
    }
  }
}
