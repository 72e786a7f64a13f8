import Foundation
import Glibc
import TestPrograms
import Testing

@Suite(.timeLimit(.minutes(3))) struct `A code listing` {
  static let articles = SourceTree.all.filter { $0.path.hasSuffix(".md") }
  static let listings = articles.flatMap(CodeListing.all)

  /// What a listing without imports has: the module that its catalogue is about, and the samples that articles speak of.
  static func prelude(of listing: CodeListing) -> String {
    let own = catalogue(of: listing.path).map { "import \($0)\n" } ?? ""
    return own + "import Testing\n@testable import AdventuresDigest\n@testable import Clock\n"
  }

  /// The module of the catalogue that an article is in.
  static func catalogue(of path: String) -> String? {
    path.split(separator: "/").first { $0.hasSuffix(".docc") }.map { String($0.dropLast(".docc".count)) }
  }

  /// The products with modules of other names.
  static let products = ["JSON": "ExtensionProtocol", "PostgreSQLGroupStore": "PostgreSQL"]
  /// What comes with the toolchain, from swift-log, or is a sample.
  static let others: Set<String> = ["AdventuresDigest", "Clock", "Foundation", "Logging", "MoviesSDK", "Testing"]

  /// The folder of the modules that the build made; the tests run beside it.
  static let modules = `A sample`.products.appendingPathComponent("Modules").path
  static let isBuilt = ["AdventuresDigest", "AppExtensions", "Clock", "ExtensionTesting"].allSatisfy { name in
    access("\(modules)/\(name).swiftmodule", R_OK) == 0
  }

  @Test func `is found wherever an article has one`() {
    let fences = Self.articles.flatMap(\.lines).count { $0.trimmingCharacters(in: .whitespaces) == CodeListing.fence }
    #expect(fences == Self.listings.count && fences > 8)
  }

  @Test func `knows its place and what it takes for granted`() throws {
    let text = """
      A text

      <!-- given a: Int -->

      ```swift
      import B
      print(a)
      ```
      and
      ```swift
      @main
      struct C {}
      ```
      """
    let found = CodeListing.all(in: SourceTree.File(path: "a.md", text: text))
    try #require(found.count == 2)
    #expect(found.map(\.line) == [6, 11] && found.map(\.given) == ["a: Int", ""])
    let body = "#sourceLocation(file: \"a.md\", line: 6)\n\nprint(a)\n#sourceLocation()\n"
    #expect(found[0].source(number: 3, prelude: "") == "import B\nfunc listing3(a: Int) async throws {\n\(body)}\n")
    let type = "#sourceLocation(file: \"a.md\", line: 11)\n\nstruct C {}\n#sourceLocation()\n"
    #expect(found[1].source(number: 4, prelude: "import D") == "import B\nimport D\n\(type)")
  }

  /// Somebody who depends on the products that a page names can compile what the page shows.
  @Test func `imports products that its page names`() throws {
    let manifest = try #require(SourceTree.file("Package.swift")).text
    for listing in Self.listings where !listing.path.hasSuffix("MoviesSDK/README.md") {
      let page = try #require(SourceTree.file(listing.path)).text
      for module in listing.modules where !Self.others.contains(module) {
        let product = Self.products[module] ?? module
        #expect(manifest.contains(product), "\(listing.path) imports \(module), which is in no product")
        let isNamed = product == Self.catalogue(of: listing.path) || page.contains("`\(product)`")
        #expect(isNamed, "\(listing.path) imports \(module) and does not name the product \(product)")
      }
    }
  }

  /// One compiler for all of them: most of its time goes into reading the modules.
  @Test(.enabled("the products are not built", { `A code listing`.isBuilt })) func `compiles`() throws {
    let wrong = CodeListing(path: "Wrong.md", line: 1, code: "let number: Int = text", comment: "given text: String")
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("listings-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (number, listing) in (Self.listings.filter { !$0.isFromFile } + [wrong]).enumerated() {
      let file = folder.appendingPathComponent("Listing\(number).swift")
      try listing.source(number: number, prelude: Self.prelude(of: listing)).write(
        to: file, atomically: true, encoding: .utf8)
    }
    let maps = try ["\(SourceTree.root.path)/Sources/C", `A sample`.products.path].flatMap { parent in
      try FileManager.default.contentsOfDirectory(atPath: parent).map { "\(parent)/\($0)" }
    }
    let searched = ([Self.modules] + maps.filter { access("\($0)/module.modulemap", R_OK) == 0 }).map { "-I '\($0)'" }
    let headers = ShellCommand.headerFolders.map { "-Xcc -I'\($0)'" }.joined(separator: " ")
    let cache = `A sample`.products.appendingPathComponent("ModuleCache").path
    let (text, _) = try ShellCommand.output(
      of: """
        swiftc -typecheck -wmo -parse-as-library -swift-version 6 \
        -enable-upcoming-feature MemberImportVisibility -suppress-warnings -diagnostic-style=llvm \
        -module-name Listings -module-cache-path '\(cache)' \(searched.joined(separator: " ")) \
        \(headers) '\(folder.path)'/*.swift 2>&1
        """)
    let errors = text.split(separator: "\n").filter { $0.contains(" error: ") }
    #expect(errors.contains { $0.contains("Wrong.md:1:") }, "\(text)")
    let found = errors.filter { !$0.contains("Wrong.md:1:") }
    #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
  }
}
