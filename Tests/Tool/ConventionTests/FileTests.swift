import Testing

@Suite(.timeLimit(.minutes(1))) struct `A file` {
  static let written = SourceTree.files(below: "Sources", "Plugins", "Tests", "Scripts", suffix: "").filter { file in
    !file.path.hasSuffix(".plist") && !file.path.hasSuffix(".json") && !generated.contains(file.path)
      && !file.isGeneratedPackage
  }
  /// What Scripts/clients writes.
  private static let generated =
    ["Python/annex/protocol.py", "Python/annex/types.py", "Node/annex/protocol.mjs"]
    .map { "Plugins/Clients/\($0)" } + ["Plugins/Clients/Node/annex/protocol.d.mts"]

  @Test func `that is generated says so in its first line`() throws {
    for path in Self.generated {
      let file = try #require(SourceTree.file(path))
      #expect(file.lines.first?.contains("Generated from protocol.schema.json by Scripts/clients.") == true, "\(path)")
    }
  }

  @Test func `has at most 400 lines`() {
    #expect(Self.written.count > 50)
    for file in Self.written { #expect(file.lines.count <= 401, "\(file.path) has \(file.lines.count - 1) lines") }
  }

  @Test func `is named after its concept`() {
    for file in Self.written {
      let words = ["Utils", "Utilities", "Helpers", "Common", "Manager"].filter { file.name.contains($0) }
      #expect(words.isEmpty, "\(file.path)")
    }
  }

  @Test func `of C stands under Sources/C, or is a fixture or a template`() {
    let folders = ["Sources/C/", "Tests/Fixtures/", "Plugins/Templates/"]
    for file in SourceTree.all where file.path.hasSuffix(".c") || file.path.hasSuffix(".h") {
      #expect(folders.contains { file.path.hasPrefix($0) }, "\(file.path)")
    }
  }

  @Test func `that is a public header leaves feature macros alone`() {
    for file in SourceTree.files(below: "Sources/C", suffix: ".h") where file.path.contains("/include/") {
      #expect(!file.text.contains("#define _GNU_SOURCE"), "\(file.path)")
    }
  }

  @Test func `has no leftovers`() {
    let words = ["TODO", "FIXME", "XXX:"]
    for file in SourceTree.files(below: "Sources", "Plugins", suffix: "") {
      for word in words { #expect(!file.text.contains(word), "\(file.path) has \(word)") }
    }
  }

  @Test func `speaks of this package alone`() {
    let outside = ["..", "/shared"].joined()
    let roots = ["/work", "/home"].map { "\($0)/" }
    let this = "Tests/Tool/ConventionTests/FileTests.swift"
    for file in SourceTree.all where file.path != this {
      #expect(!file.text.contains(outside), "\(file.path) names a folder outside of the package")
      for root in roots where !file.path.hasPrefix("Tests/") && !file.path.hasPrefix("Sources/Engine/Sandbox/") {
        #expect(!file.text.contains(" \(root)"), "\(file.path) names \(root)")
      }
    }
  }

  @Test func `of tests waits for no clock, and uses this project's test library only`() {
    for file in SourceTree.files(below: "Tests") {
      let code = file.code
      #expect(!code.contains("import XCTest"), "\(file.path)")
      #expect(!code.contains("Task.sleep") && !code.contains("usleep("), "\(file.path) sleeps")
    }
  }
}
