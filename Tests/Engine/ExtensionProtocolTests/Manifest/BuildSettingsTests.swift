import ExtensionProtocol
import PropertyList
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Build settings` {
  private static let settings = BuildSettings([
    "NAME": "My Clock", "NESTED": "$(NAME)s", "LOOP": "a$(LOOP)", "WIDE": "$(NAME)$(NAME)", "KIND": "NAME",
    "PATH_OF": "/a/b.c/Clock.tar.gz", "HIDDEN": "a/.hidden", "FOLDER": "a/", "WORDS": "1éb_.!",
  ])

  private func resolved(_ text: String) -> String? {
    Self.settings.resolve(["Key": .string(text)]).manifest["Key"]?.stringValue
  }

  @Test(
    arguments: [
      ("plain", "plain"), ("$(NAME)", "My Clock"), ("${NAME}", "My Clock"), ("a$(NAME)b${NAME}", "aMy ClockbMy Clock"),
      ("$(NAME:rfc1034identifier)", "My-Clock"), ("com.$(NAME:rfc1034identifier:lower).x", "com.my-clock.x"),
      ("$(NAME:c99extidentifier)", "My_Clock"), ("$(NESTED:upper)", "MY CLOCKS"), ("$(NONE:default=a:b)", "a:b"),
      ("$(NONE:default=)", ""), ("$(NAME:default=x)", "My Clock"), ("$($(KIND))", "My Clock"),
      ("$(WIDE)", "My ClockMy Clock"),
      ("$(PATH_OF:file)", "Clock.tar.gz"), ("$(PATH_OF:base)", "Clock.tar"), ("$(PATH_OF:suffix)", ".gz"),
      ("$(PATH_OF:dir)", "/a/b.c"), ("$(NAME:dir)", "."), ("$(NAME:suffix)", ""), ("$(NAME:base)", "My Clock"),
      ("$(NONE:default=a/.b:base)", "a/.b:base"), ("$(HIDDEN:base)", ".hidden"), ("$(HIDDEN:suffix)", ""),
      ("$(HIDDEN:dir)", "a"), ("$(FOLDER:file)", ""), ("$(WORDS:rfc1034identifier)", "1-b-.-"),
      ("$(WORDS:identifier)", "_éb___"), ("ä$(NAME)ö", "äMy Clockö"),
      // What is no setting is text.
      ("$5", "$5"), ("$(5)", "$(5)"), ("$()", "$()"), ("$(NAME", "$(NAME"), ("$", "$"), ("$$(NAME)", "$My Clock"),
      ("SUBQUERY(extensionItems, $e, $e.x == 1)", "SUBQUERY(extensionItems, $e, $e.x == 1)"),
    ])
  func `are filled in`(text: String, expected: String) { #expect(resolved(text) == expected) }

  @Test(arguments: ["$(NONE)", "$(LOOP)", "x$(NAME)$(NONE)", "$(NAME:nonsense)", "$($(NONE))"])
  func `without a value leave their text as it is, with a problem`(text: String) {
    let (manifest, problems) = Self.settings.resolve(["A": ["B": [.string(text)]]])
    #expect(manifest == ["A": ["B": [.string(text)]]])
    #expect(problems.map(\.keyPath) == ["A.B[0]"] && problems.map(\.severity) == [.error])
    #expect(problems.first?.setting != nil)
  }

  @Test func `that stand for each other without end come to an end`() {
    var values: [String: String] = [:]
    for number in 0..<15 { values["S\(number)"] = String(repeating: "$(S\(number + 1))", count: 40) }
    values["S15"] = "x"
    #expect(!BuildSettings(values).resolve(["A": "$(S0)"]).problems.isEmpty)
    let brackets = String(repeating: "$(", count: 30_000)
    #expect(BuildSettings().resolve(["A": .string(brackets)]).manifest["A"]?.stringValue == brackets)
  }

  @Test func `may be as long and as deep as their bounds`() {
    func isFilled(_ text: String, _ settings: BuildSettings, _ expected: String) -> Bool {
      let (manifest, problems) = settings.resolve(["A": .string(text)])
      return problems.isEmpty && manifest["A"]?.stringValue == expected
    }
    var chain = ["S15": "x"]
    for number in 0..<15 { chain["S\(number)"] = "$(S\(number + 1))" }
    #expect(isFilled("$(S0)", BuildSettings(chain), "x"))
    chain["S"] = "$(S0)"
    #expect(!isFilled("$(S)", BuildSettings(chain), "x"))
    let empty = BuildSettings(["E": ""])
    let most = String(repeating: "$(E)", count: 9_999)
    #expect(isFilled(most, empty, "") && !isFilled(most + "$(E)", empty, ""))
    let long = String(repeating: "é", count: 32_767) + "a"
    #expect(isFilled(long + "$(E)", empty, long) && !isFilled(long + "a$(E)", empty, long + "a"))
    let name = String(repeating: "N", count: 200)
    #expect(isFilled("$(\(name))", BuildSettings([name: "x"]), "x"))
    #expect(isFilled("$(\(name)N)", BuildSettings([name + "N": "x"]), "$(\(name)N)"))
    let standard = String(repeating: "d", count: 510 - "N:default=".utf8.count)
    #expect(isFilled("$(N:default=\(standard))", empty, standard))
    #expect(isFilled("$(N:default=\(standard)d)", empty, "$(N:default=\(standard)d)"))
  }

  @Test func `without a value are told for 50 names, each at the place where it counts most`() {
    func problems(_ count: Int) -> [ManifestProblem] {
      BuildSettings().resolve(["A": .array((0..<count).map { .string("$(N\($0))") })]).problems
    }
    #expect(problems(50).count == 50 && problems(51).count == 50)
    #expect(problems(51).last?.setting == "N49")
    let manifest = `A manifest`.widget(
      ["CFBundleDevelopmentRegion": "$(X)", "CFBundleDisplayName": "$(X)"], extension: [:])
    let found = ManifestValidation(manifest).problems
    #expect(found.map(\.keyPath) == ["CFBundleDisplayName"] && found.map(\.severity) == [.error])
    let short = "é" + String(repeating: "a", count: 194) + "$(X)"
    for (text, shown) in [(short, short), (short + "a", "$(X)")] {
      let problem = BuildSettings().resolve(["A": .string(text)]).problems.first
      #expect(problem?.message == "The build setting X has no value here: “\(shown)”.")
    }
  }

  @Test func `have the usual values from a bundle's names`() throws {
    let usual = BuildSettings.usual(product: "Night Clock", kind: .appExtension, containingApp: "com.example.notes")
    let manifest: PropertyListValue = [
      "CFBundleIdentifier": "$(PRODUCT_BUNDLE_IDENTIFIER)", "CFBundleExecutable": "$(EXECUTABLE_NAME)",
      "CFBundleName": "$(PRODUCT_NAME)", "CFBundlePackageType": "$(PRODUCT_BUNDLE_PACKAGE_TYPE)",
      "CFBundleVersion": "$(CURRENT_PROJECT_VERSION)", "CFBundleShortVersionString": "${MARKETING_VERSION}",
      "CFBundleDevelopmentRegion": "$(DEVELOPMENT_LANGUAGE)",
      "NSExtension": [
        "NSExtensionPointIdentifier": "com.example.points.clock",
        "NSExtensionPrincipalClass": "$(PRODUCT_MODULE_NAME).Main",
      ],
    ]
    let (resolved, problems) = usual.resolve(manifest)
    #expect(problems == [])
    let validation = ManifestValidation(resolved)
    #expect(validation.problems == [])
    let result = try #require(validation.manifest)
    #expect(result.identifier == "com.example.notes.Night-Clock" && result.executable == "Night Clock")
    #expect(result.principalClass == "Night_Clock.Main" && result.kind == .appExtension)
    var given = BuildSettings()
    #expect(given.set("PRODUCT_NAME=Dawn") && given.set("EMPTY=") && !given.set("9=x") && !given.set("NAME"))
    let other = usual.overridden(by: given).resolve(manifest).manifest
    #expect(other["CFBundleExecutable"] == "Dawn" && other["CFBundleIdentifier"] == "com.example.notes.Dawn")
    #expect(!BuildSettings.usual(product: "Notes", kind: .app).resolve(manifest).problems.isEmpty)
  }

  @Test func `may have values that begin with an accent`() {
    var given = BuildSettings()
    #expect(given.set("NAME=\u{301}a=b") && given.values == ["NAME": "\u{301}a=b"])
    #expect(given.resolve(["A": "$(NONE:default=\u{301}a:\u{301}b)"]).manifest["A"] == "\u{301}a:\u{301}b")
  }

  @Test func `in a manifest are one problem each, and the only one of their texts`() throws {
    let manifest = `A manifest`.widget(
      [
        "CFBundleIdentifier": "$(PRODUCT_BUNDLE_IDENTIFIER)", "CFBundleExecutable": "$(EXECUTABLE_NAME)",
        "CFBundlePackageType": "$(PRODUCT_BUNDLE_PACKAGE_TYPE)", "CFBundleName": "$(PRODUCT_NAME)",
        "CFBundleDisplayName": "${PRODUCT_NAME}", "CFBundleDevelopmentRegion": "$(DEVELOPMENT_LANGUAGE)",
      ], extension: ["NSExtensionPrincipalClass": "$(PRODUCT_MODULE_NAME).Main"])
    let problems = ManifestValidation(manifest).problems
    let names = [
      "DEVELOPMENT_LANGUAGE", "EXECUTABLE_NAME", "PRODUCT_BUNDLE_IDENTIFIER", "PRODUCT_BUNDLE_PACKAGE_TYPE",
      "PRODUCT_MODULE_NAME", "PRODUCT_NAME",
    ]
    #expect(problems.compactMap(\.setting).sorted() == names && problems.count == names.count)
    #expect(problems.filter { $0.severity == .warning }.map(\.setting) == ["DEVELOPMENT_LANGUAGE"])
    let identifier = try #require(problems.first { $0.setting == "PRODUCT_BUNDLE_IDENTIFIER" })
    #expect(identifier.keyPath == "CFBundleIdentifier")
    #expect(
      identifier.message
        == "The build setting PRODUCT_BUNDLE_IDENTIFIER has no value here: “$(PRODUCT_BUNDLE_IDENTIFIER)”.")
  }
}
