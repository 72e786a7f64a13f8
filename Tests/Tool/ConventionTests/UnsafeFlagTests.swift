import Testing

/// A package manager may refuse a package whose libraries have flags that it does not know, as a dependency by version.
@Suite(.timeLimit(.minutes(1))) struct `The package's unsafe flags` {
  @Test func `are for the linker of programs alone`() throws {
    let manifest = try #require(SourceTree.file("Package.swift"))
    let lines = manifest.lines.filter { $0.contains("unsafeFlags(") }
    #expect(!lines.isEmpty)
    for line in lines {
      #expect(["LinkerSetting.", "linker: [", "[fullyStatic, "].contains { line.contains($0) }, "\(line)")
    }
    let library = try #require(manifest.text.firstMatch(of: #/(?s)\nfunc library\(.*?\n}\n/#))
    #expect(!library.0.contains("linkerSettings"))
  }
}
