import Testing

@testable import FeatureCommands

/// What `host data init` writes into the `Package.swift` of a project.
@Suite(.timeLimit(.minutes(1)))
struct `The text of a package manifest` {
  /// The text with `DEP` in the dependencies of the package and `PRODUCT` in those of a target.
  private static func add(
    to text: String, _ dependency: String? = "DEP", _ product: String? = "PRODUCT",
    target: String? = nil
  ) -> (text: String, package: Bool, target: Bool) {
    var manifest = SwiftManifestText(Array(text.utf8))
    let added = manifest.add(dependency: dependency, product: product, target: target)
    return (String(decoding: manifest.bytes, as: UTF8.self), added.package, added.target)
  }

  /// A text and what it is with both elements in it.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let before: String
    let after: String
  }

  static let whole = [
    Case(
      testDescription: "empty list",
      before:
        "let package = Package(\n  name: \"App\",\n  dependencies: [],\n  targets: [.target(name: \"App\")])\n",
      after: """
        let package = Package(
          name: "App",
          dependencies: [
            DEP
          ],
          targets: [.target(name: "App", dependencies: [PRODUCT])])

        """),
    Case(
      testDescription: "list of spaces, tabs and line ends",
      before:
        "\tlet p = Package(dependencies: [ \t\r\n],\n\ttargets: [.target(name: \"A\", dependencies: [\u{B}])])",
      after: "\tlet p = Package(dependencies: [\n\t  DEP\n\t],\n\ttargets: "
        + "[.target(name: \"A\", dependencies: [\n\t  PRODUCT\n\t])])"),
    Case(
      testDescription: "list on several lines",
      before:
        "Package(\n  dependencies: [\n    OTHER,\n  ],\n  targets: [\n    .target(\n      name: \"A\","
        + " dependencies: [\n        \"B\"\n      ]),\n  ])",
      after:
        "Package(\n  dependencies: [\n    DEP,\n    OTHER,\n  ],\n  targets: [\n    .target(\n      name: \"A\","
        + " dependencies: [\n        PRODUCT,\n        \"B\"\n      ]),\n  ])"),
    Case(
      testDescription: "list on one line",
      before:
        "Package(dependencies: [OTHER], targets: [.target(name: \"A\", dependencies: [\"B\"])])",
      after:
        "Package(dependencies: [DEP, OTHER], targets: [.target(name: \"A\", dependencies: [PRODUCT, \"B\"])])"
    ),
    Case(
      testDescription: "no dependencies",
      before: "Package(\n  name: \"A\",\n  targets: [.target(name: \"A\")])",
      after: "Package(\n  name: \"A\",\n  dependencies: [\n    DEP\n  ],\n  targets: "
        + "[.target(name: \"A\", dependencies: [PRODUCT])])"),
    Case(
      testDescription: "nested brackets and the commas in them",
      before:
        "Package(platforms: [.macOS(.v13), .iOS(f({ dependencies: [] }, 2))], dependencies: [A],"
        + " targets: [.target(name: \"A\")])",
      after:
        "Package(platforms: [.macOS(.v13), .iOS(f({ dependencies: [] }, 2))], dependencies: [DEP, A],"
        + " targets: [.target(name: \"A\", dependencies: [PRODUCT])])"),
    Case(
      testDescription: "comments before labels and values",
      before: "Package(// dependencies: [x],\n dependencies: /* [ */ [A], /* ) */ targets: [ // ]\n"
        + " .target(name: /* \"B\" */ \"A\"),\n // none\n ])",
      after:
        "Package(// dependencies: [x],\n dependencies: /* [ */ [DEP, A], /* ) */ targets: [ // ]\n"
        + " .target(name: /* \"B\" */ \"A\", dependencies: [PRODUCT]),\n // none\n ])"),
    Case(
      testDescription: "brackets and quotation marks in texts",
      before:
        #"Package(name: "a\")[\\", dependencies: ["]" + "\\"], targets: [.target(name: "A")])"#,
      after: #"Package(name: "a\")[\\", dependencies: [DEP, "]" + "\\"], targets: "#
        + #"[.target(name: "A", dependencies: [PRODUCT])])"#),
    Case(
      testDescription: "a call in a text of several lines before the call",
      before: "let a = \"\"\"\n Package(dependencies: [1]) \" \\\"\"\" \n\"\"\"\n"
        + "let p = Package(dependencies: [2], targets: [.target(name: \"A\")])",
      after: "let a = \"\"\"\n Package(dependencies: [1]) \" \\\"\"\" \n\"\"\"\n"
        + "let p = Package(dependencies: [DEP, 2], targets: [.target(name: \"A\", dependencies: [PRODUCT])])"
    ),
    Case(
      testDescription: "other words before the call",
      before:
        "// Package(\n/* Package( */ let x = \"Package(\"; a.Package(1); MyPackage(2); Package_(3); Packagez(4)\n"
        + "PackageZ(5); Package0(6); Package9(7); Package; Package (8)\n"
        + "Package(dependencies: [1], targets: [.target(name: \"A\")])",
      after:
        "// Package(\n/* Package( */ let x = \"Package(\"; a.Package(1); MyPackage(2); Package_(3); Packagez(4)\n"
        + "PackageZ(5); Package0(6); Package9(7); Package; Package (8)\n"
        + "Package(dependencies: [DEP, 1], targets: [.target(name: \"A\", dependencies: [PRODUCT])])"
    ),
    Case(
      testDescription: "comments in comments",
      before: "/*/ /* Package(1) */ Package(2) */ Package(dependencies: [3 /* /**/, 4] */], "
        + "targets: [.target(name: \"A\")])",
      after: "/*/ /* Package(1) */ Package(2) */ Package(dependencies: [DEP, 3 /* /**/, 4] */], "
        + "targets: [.target(name: \"A\", dependencies: [PRODUCT])])"),
    Case(
      testDescription: "letters of more than one byte",
      before:
        "// Größe\nPackage(name: \"Möwe\", dependencies: [\"é\"], targets: [.target(name: \"Möwe\")])",
      after: "// Größe\nPackage(name: \"Möwe\", dependencies: [DEP, \"é\"], targets: "
        + "[.target(name: \"Möwe\", dependencies: [PRODUCT])])"),
  ]

  @Test(arguments: whole) func `gets a dependency and a product where they belong`(row: Case) {
    let added = Self.add(to: row.before)
    #expect(added.text == row.after)
    #expect(added.package && added.target)
  }

  @Test func `gets one of the two alone, or nothing`() {
    let text = "Package(dependencies: [1], targets: [.target(name: \"A\")])"
    let product = Self.add(to: text, nil)
    #expect(
      product.text
        == "Package(dependencies: [1], targets: [.target(name: \"A\", dependencies: [PRODUCT])])")
    #expect(product.package && product.target)
    let package = Self.add(to: text, "DEP", nil)
    #expect(package.text == "Package(dependencies: [DEP, 1], targets: [.target(name: \"A\")])")
    #expect(package.package && package.target)
    let nothing = Self.add(to: text, nil, nil)
    #expect(nothing.text == text && nothing.package && nothing.target)
    // What need not be added is no failure, whatever the text is; what has no place is one.
    let other = Self.add(to: "let a = 1", nil, nil)
    #expect(other.package && other.target)
    let placeless = Self.add(to: "let a = 1", nil)
    #expect(placeless.package && !placeless.target)
  }

  // MARK: Which target

  static let targets: [(targets: String, name: String?, after: String)] = [
    (
      ".target(name: \"L\"), .executableTarget(name: \"E\")", nil,
      ".target(name: \"L\"), .executableTarget(name: \"E\", dependencies: [PRODUCT])"
    ),
    (
      ".testTarget(name: \"T\"), .target(name: \"L\")", nil,
      ".testTarget(name: \"T\"), .target(name: \"L\", dependencies: [PRODUCT])"
    ),
    (
      ".target(name: \"L\"), .target(path: \"M\", name: \"M\")", "M",
      ".target(name: \"L\"), .target(path: \"M\", name: \"M\", dependencies: [PRODUCT])"
    ),
    (
      ".executableTarget(name: \"E\"), .target(name: \"L\")", "L",
      ".executableTarget(name: \"E\"), .target(name: \"L\", dependencies: [PRODUCT])"
    ),
  ]

  @Test(arguments: targets)
  func `gets the product in the program, in the only library, or in the target that is named`(
    targets: String, name: String?, after: String
  ) {
    let added = Self.add(to: "Package(targets: [\(targets)])", nil, target: name)
    #expect(added.text == "Package(targets: [\(after)])" && added.target)
  }

  static let undecided: [(targets: String, name: String?)] = [
    ("[.executableTarget(name: \"E\"), .executableTarget(name: \"F\"), .target(name: \"L\")]", nil),
    ("[.target(name: \"L\"), .target(name: \"M\")]", nil), ("[.testTarget(name: \"T\")]", nil),
    ("[]", nil),
    ("[.target(name: \"L\")]", "M"), ("[.target(path: \"M\")]", "M"),
    ("[.target(path: \"M\")]", nil), ("all", nil),
    ("[.target(name: \"LM\")]", "M"), ("[.target(name: \"L\", dependencies: both)]", nil),
  ]

  @Test(arguments: undecided)
  func `stays as it is where no target, or more than one, may be meant`(
    targets: String, name: String?
  ) {
    let text = "Package(targets: \(targets))"
    let added = Self.add(to: text, nil, target: name)
    #expect(added.text == text && added.package && !added.target)
  }

  // MARK: Not understood

  /// Texts that end before anything is found, and in the middle of a comment, a text or a word.
  static let unfinished = [
    "", "Package", "Package(", "Package(dependencies: [",
    "Package(targets: [.target(name: \"A\")], dependencies: [1]",
    "let a = \"Package(", "let a = \"x\\", "let a = \"\"\"\nPackage(", "// Package(", "/* Package(",
    "/", "\"", "/*", ".",
    "Package(name: \"a\\", "Package(name: \"\"\"\n\\", "Package(1 // ", "Package(1 /* )",
  ]

  @Test(arguments: unfinished) func `stays as it is where it is not finished`(text: String) {
    let added = Self.add(to: text)
    #expect(added.text == text && !added.package && !added.target)
  }

  @Test func `gets what has a place, and says what has none`() {
    let list = Self.add(to: "Package(dependencies: all, targets: [.target(name: \"A\")])")
    #expect(
      list.text
        == "Package(dependencies: all, targets: [.target(name: \"A\", dependencies: [PRODUCT])])")
    #expect(!list.package && list.target)
    let name = Self.add(to: "Package(name: \"A\")")
    #expect(name.text == "Package(name: \"A\")" && !name.package && !name.target)
    let targets = Self.add(to: "Package(dependencies: [1], targets: [])")
    #expect(targets.text == "Package(dependencies: [DEP, 1], targets: [])")
    #expect(targets.package && !targets.target)
    let only = Self.add(to: "Package(name: \"A\")", "DEP", nil)
    #expect(!only.package && only.target)
  }
}
