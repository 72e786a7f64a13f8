import ExtensionProtocol
import PropertyList
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A manifest` {
  typealias Dictionary = [String: PropertyListValue]

  static func widget(_ changes: Dictionary = [:], extension section: Dictionary = [:]) -> PropertyListValue {
    var entries: Dictionary = [
      "CFBundleIdentifier": "com.example.notes.clock", "CFBundleExecutable": "Clock", "CFBundlePackageType": "XPC!",
      "CFBundleVersion": "1.2",
    ]
    var inner: Dictionary = ["NSExtensionPointIdentifier": "com.example.points.clock"]
    inner.merge(section) { _, new in new }
    entries["NSExtension"] = .dictionary(inner)
    entries.merge(changes) { _, new in new }
    return .dictionary(entries)
  }

  static func share(_ attributes: Dictionary) -> PropertyListValue {
    widget(
      extension: [
        "NSExtensionPointIdentifier": "com.example.points.sender", "NSExtensionAttributes": .dictionary(attributes),
      ])
  }

  static func app(_ changes: Dictionary = [:]) -> PropertyListValue {
    let entries: Dictionary = [
      "CFBundleIdentifier": "com.example.notes", "CFBundleExecutable": "Notes", "CFBundlePackageType": "APPL",
      "CFBundleVersion": "1", "CFBundleName": "Notes",
    ]
    return .dictionary(entries.merging(changes) { _, new in new })
  }

  @Test func `of an extension is read whole`() throws {
    let value = Self.widget(
      [
        "CFBundleDisplayName": "Clock", "CFBundleName": "ClockName", "CFBundleShortVersionString": "1.2 beta",
        "Entitlements": ["com.apple.security.application-groups": ["group.com.example.notes"]],
        "Annex": [
          "Framing": "content-length", "Interpreter": "/usr/bin/python3", "Entitlements": ["defaults", "content"],
          "Limits": [
            "MemoryMiB": 64, "Threads": 4, "Descriptors": 32, "FileMiB": 1, "ContainerMiB": 8, "ContainerFiles": 100,
            "CPUSeconds": 5,
          ],
        ],
        "UTExportedTypeDeclarations": [
          [
            "UTTypeIdentifier": "com.example.note", "UTTypeConformsTo": "public.text",
            "UTTypeTagSpecification": ["public.filename-extension": ["note"], "public.mime-type": "text/x-note"],
          ]
        ],
      ],
      extension: [
        "NSExtensionPointIdentifier": "com.example.points.clock", "NSExtensionPrincipalClass": "Clock.Main",
        "NSExtensionAttributes": ["IsLoud": false],
      ])
    let validation = ManifestValidation(value)
    #expect(validation.problems == [])
    let manifest = try #require(validation.manifest)
    #expect(manifest.kind == .appExtension && manifest.point == .clock)
    #expect(manifest.identifier == "com.example.notes.clock" && manifest.executable == "Clock")
    #expect(manifest.displayName == "Clock" && manifest.shortVersion == "1.2 beta")
    #expect(manifest.version == BundleVersion("1.2"))
    #expect(manifest.principalClass == "Clock.Main")
    #expect(manifest.attributes == ["IsLoud": false])
    #expect(manifest.appGroups == ["group.com.example.notes"])
    #expect(manifest.framing == .contentLength && manifest.interpreter == "/usr/bin/python3")
    #expect(manifest.entitlements == ["defaults", "content"])
    #expect(manifest.limits.memoryMiB == 64 && manifest.limits.threads == 4 && manifest.limits.descriptors == 32)
    #expect(manifest.limits.fileMiB == 1 && manifest.limits.containerMiB == 8)
    #expect(manifest.limits.containerFiles == 100 && manifest.limits.cpuSeconds == 5)
    let type = try #require(manifest.typeDeclarations.first)
    #expect(type.identifier == "com.example.note" && type.conformsTo == ["public.text"])
    #expect(type.filenameExtensions == ["note"] && type.mimeTypes == ["text/x-note"])
    #expect(manifest.raw == value.dictionaryValue)
  }

  @Test func `of an app is read whole`() throws {
    let validation = ManifestValidation(
      Self.app(["CFBundleURLTypes": [["CFBundleURLSchemes": ["Notes", "notes", "x-notes+1.0"]]]]))
    #expect(validation.problems == [])
    let manifest = try #require(validation.manifest)
    #expect(manifest.kind == .app && manifest.point == .containingApp)
    #expect(manifest.urlSchemes == ["notes", "x-notes+1.0"])
    #expect(manifest.displayName == "Notes" && manifest.framing == .lines && manifest.interpreter == nil)
  }

  @Test func `declares types under names of its own, exported ones first`() {
    func list(_ names: [String]) -> PropertyListValue { .array(names.map { ["UTTypeIdentifier": .string($0)] }) }
    func declared(_ exported: [String], _ imported: [String]) -> ManifestValidation {
      ManifestValidation(
        Self.app(["UTImportedTypeDeclarations": list(imported), "UTExportedTypeDeclarations": list(exported)]))
    }
    let names = ["com.example.a", "com.example.b"]
    let types = declared(names, ["org.example.c"]).manifest?.typeDeclarations
    #expect(types?.map(\.identifier) == names + ["org.example.c"])
    #expect(types?.map { $0.conformsTo + $0.filenameExtensions + $0.mimeTypes } == [[], [], []])
    for name in ["public.note", "Public.Note", "note", "com..note"] {
      let found = declared(names, ["org.example.c", name])
      #expect(found.manifest == nil)
      #expect(found.problems.map(\.keyPath) == ["UTImportedTypeDeclarations[1].UTTypeIdentifier"], "\(name)")
    }
    #expect(declared([], ["publicity.note"]).problems == [])
  }

  struct Bad: Sendable, CustomTestStringConvertible {
    let keyPath: String
    let value: PropertyListValue
    var testDescription: String { keyPath }

    init(_ keyPath: String, _ value: PropertyListValue) {
      self.keyPath = keyPath
      self.value = value
    }
  }

  static let wrong: [Bad] = [
    Bad("", "text"), Bad("", []),
    Bad("CFBundleIdentifier", widget(["CFBundleIdentifier": 7])),
    Bad("CFBundleIdentifier", widget(["CFBundleIdentifier": "clock"])),
    Bad("CFBundleIdentifier", widget(["CFBundleIdentifier": "com..clock"])),
    Bad("CFBundleIdentifier", widget(["CFBundleIdentifier": "com.example.a/../b"])),
    Bad("CFBundleIdentifier", widget(["CFBundleIdentifier": "com.example.ünicode"])),
    Bad("CFBundleIdentifier", widget(["CFBundleIdentifier": ""])),
    Bad("CFBundleExecutable", widget(["CFBundleExecutable": "/bin/sh"])),
    Bad("CFBundleExecutable", widget(["CFBundleExecutable": "../x"])),
    Bad("CFBundleExecutable", widget(["CFBundleExecutable": "a/../../x"])),
    Bad("CFBundleExecutable", widget(["CFBundleExecutable": "a//b"])),
    Bad("CFBundleExecutable", widget(["CFBundleExecutable": "a\nb"])),
    Bad("CFBundlePackageType", widget(["CFBundlePackageType": "BNDL"])),
    Bad("CFBundlePackageType", widget(["CFBundlePackageType": "APPL"])),
    Bad("CFBundleDisplayName", widget(["CFBundleDisplayName": true])),
    Bad("NSExtension", widget(["NSExtension": "x"])),
    Bad("NSExtension.NSExtensionPointIdentifier", widget(["NSExtension": [:]])),
    Bad(
      "NSExtension.NSExtensionPointIdentifier", widget(extension: ["NSExtensionPointIdentifier": "com.example.none"])),
    Bad("NSExtension.NSExtensionPointIdentifier", widget(extension: ["NSExtensionPointIdentifier": "containing-app"])),
    Bad(
      "NSExtension.NSExtensionMainStoryboard",
      widget(extension: ["NSExtensionPrincipalClass": "A", "NSExtensionMainStoryboard": "B"])),
    Bad("NSExtension.NSExtensionAttributes", widget(extension: ["NSExtensionAttributes": []])),
    Bad(
      "NSExtension.NSExtensionPrincipalClass",
      widget(extension: ["NSExtensionPrincipalClass": "$(PRODUCT_MODULE_NAME).Main"])),
    Bad("CFBundleDocumentTypes[0]", app(["CFBundleDocumentTypes": ["public.text"]])),
    Bad("NSExtension.NSExtensionAttributes.NSExtensionActivationRule", share([:])),
    Bad("NSExtension.NSExtensionAttributes.NSExtensionActivationRule", share(["NSExtensionActivationRule": 1])),
    Bad("Entitlements", widget(["Entitlements": []])),
    Bad(
      "Entitlements[\"com.apple.security.application-groups\"][0]",
      widget(["Entitlements": ["com.apple.security.application-groups": ["com.example"]]])),
    Bad(
      "Entitlements[\"com.apple.security.application-groups\"]",
      widget(["Entitlements": ["com.apple.security.application-groups": "group.com.example"]])),
    Bad("Annex", widget(["Annex": 1])),
    Bad("Annex.Framing", widget(["Annex": ["Framing": "tlv"]])),
    Bad("Annex.Interpreter", widget(["Annex": ["Interpreter": "python3"]])),
    Bad("Annex.Interpreter", widget(["Annex": ["Interpreter": "/usr/../bin/sh"]])),
    Bad("Annex.Interpreter", widget(["Annex": ["Interpreter": "venv/../../python3"]])),
    Bad("Annex.Interpreter", widget(["Annex": ["Interpreter": "/usr/bin/node"]])),
    Bad("Annex.Interpreter", widget(["Annex": ["Interpreter": "/usr/bin/node", "InterpreterArguments": ["-u"]]])),
    Bad(
      "Annex.InterpreterArguments[1]",
      widget(["Annex": ["Interpreter": "/usr/bin/python3", "InterpreterArguments": ["-u", "a\nb"]]])),
    Bad(
      "Annex.InterpreterArguments",
      widget(["Annex": ["Interpreter": "/usr/bin/python3", "InterpreterArguments": "-u"]])),
    Bad(
      "Annex.InterpreterArguments",
      widget([
        "Annex": [
          "Interpreter": "/usr/bin/python3",
          "InterpreterArguments": .array([PropertyListValue](repeating: "-u", count: 65)),
        ]
      ])),
    Bad("Annex.Products", widget(["Annex": ["Products": "a\u{1}b"]])),
    Bad("Annex.Limits", widget(["Annex": ["Limits": 5]])),
    Bad("Annex.Limits.MemoryMiB", widget(["Annex": ["Limits": ["MemoryMiB": 0]]])),
    Bad("Annex.Limits.Threads", widget(["Annex": ["Limits": ["Threads": true]]])),
    Bad("Annex.Limits.FileMiB", widget(["Annex": ["Limits": ["FileMiB": .integer(.max)]]])),
    Bad("Annex.Entitlements[0]", widget(["Annex": ["Entitlements": ["de/faults"]]])),
    Bad("Annex.Entitlements[1]", widget(["Annex": ["Entitlements": ["defaults", 3]]])),
    Bad("UTExportedTypeDeclarations[0].UTTypeIdentifier", widget(["UTExportedTypeDeclarations": [[:]]])),
    Bad(
      "CFBundleURLTypes[0].CFBundleURLSchemes[0]", app(["CFBundleURLTypes": [["CFBundleURLSchemes": ["9x"]]]])),
    Bad(
      "CFBundleURLTypes[0].CFBundleURLSchemes[0]", app(["CFBundleURLTypes": [["CFBundleURLSchemes": ["HTTPS"]]]])),
    Bad("CFBundleURLTypes", app(["CFBundleURLTypes": "notes"])),
  ]

  @Test(arguments: wrong) func `that is wrong is refused by its key path`(bad: Bad) {
    let validation = ManifestValidation(bad.value)
    #expect(validation.manifest == nil)
    let errors = validation.problems.filter { $0.severity == .error }
    #expect(errors.map(\.keyPath) == [bad.keyPath])
    #expect(errors.allSatisfy { $0.message.hasSuffix(".") && $0.recovery.hasSuffix(".") })
  }

  @Test func `tells every problem at once`() {
    let value = Self.widget(
      ["CFBundleIdentifier": "x", "CFBundleVersion": 3, "Annex": ["Framing": 1, "Interpreter": "x"]],
      extension: ["NSExtensionPointIdentifier": "none", "NSExtensionMainStoryboard": 1])
    let errors = ManifestValidation(value).problems.filter { $0.severity == .error }
    #expect(
      Set(errors.map(\.keyPath)) == [
        "CFBundleIdentifier", "CFBundleVersion", "Annex.Framing", "Annex.Interpreter",
        "NSExtension.NSExtensionPointIdentifier", "NSExtension.NSExtensionMainStoryboard",
      ])
  }

  @Test(
    arguments: [
      Bad("Surprise", widget(["Surprise": 1])),
      Bad("NSExtension.Surprise", widget(extension: ["Surprise": 1])),
      Bad("NSExtension.NSExtensionAttributes.X", widget(extension: ["NSExtensionAttributes": ["X": 1]])),
      Bad("Annex.Surprise", widget(["Annex": ["Surprise": 1]])),
      Bad("Annex.Limits.Hats", widget(["Annex": ["Limits": ["Hats": 1]]])),
      Bad("CFBundleVersion", widget(["CFBundleVersion": "1.0b3"])),
      Bad("CFBundleURLTypes", widget(["CFBundleURLTypes": [["CFBundleURLSchemes": ["notes"]]]])),
    ])
  func `that looks wrong is kept with a warning`(bad: Bad) throws {
    let validation = ManifestValidation(bad.value)
    #expect(validation.problems.map(\.keyPath) == [bad.keyPath])
    #expect(validation.problems.map(\.severity) == [.warning])
    let manifest = try #require(validation.manifest)
    #expect(manifest.raw == bad.value.dictionaryValue)
    #expect(manifest.urlSchemes == [])
  }

  @Test(
    arguments: [
      (["Annex": ["Interpretor": "x"]], "Annex.Interpretor", "Did you mean Interpreter?"),
      (["Annex": ["Limit": [:]]], "Annex.Limit", "Did you mean Limits?"),
      (["Annex": ["Limits": ["MemoryMB": 1]]], "Annex.Limits.MemoryMB", "Did you mean MemoryMiB?"),
      (["Annex": ["Limits": ["ThreadCount": 1]]], "Annex.Limits.ThreadCount", "Check its spelling, or leave it out."),
      (["Interpreter": "x"], "Interpreter", "Move it to Annex."),
      (["Annex": ["MemoryMiB": 1]], "Annex.MemoryMiB", "Move it to Annex.Limits."),
      (["CFBundleIdentifer": "x"], "CFBundleIdentifer", "Did you mean CFBundleIdentifier?"),
    ] as [(Dictionary, String, String)])
  func `with a misspelt key names the near miss`(changes: Dictionary, keyPath: String, recovery: String) {
    let problems = ManifestValidation(Self.widget(changes)).problems
    #expect(problems.map(\.keyPath) == [keyPath] && problems.map(\.severity) == [.warning])
    #expect(problems.map(\.recovery) == [recovery])
  }

  @Test func `with limits as strings is read with a warning`() {
    let validation = ManifestValidation(Self.widget(["Annex": ["Limits": ["MemoryMiB": "24"]]]))
    #expect(validation.manifest?.limits.memoryMiB == 24)
    #expect(validation.problems.map(\.severity) == [.warning])
    #expect(validation.problems.map(\.recovery) == ["Write <integer>24</integer>."])
  }

  @Test func `may tell its interpreter something, which may be the bundle's`() throws {
    let annex: PropertyListValue = [
      "Interpreter": "venv/bin/python3", "InterpreterArguments": ["-u", "-X", "utf8"], "Products": "../.build/debug",
    ]
    let validation = ManifestValidation(Self.widget(["Annex": annex]))
    #expect(validation.problems == [])
    let manifest = try #require(validation.manifest)
    #expect(manifest.interpreter == "venv/bin/python3" && manifest.interpreterArguments == ["-u", "-X", "utf8"])
    #expect(manifest.products == "../.build/debug")
    for annex: PropertyListValue in [
      ["Interpreter": "/usr/bin/node", "InterpreterArguments": ["--jitless"]],
      ["Interpreter": "/usr/bin/node", "Entitlements": ["jit"]],
    ] {
      #expect(ManifestValidation(Self.widget(["Annex": annex])).problems == [])
    }
  }

  @Test func `with a key of another case names the right one`() {
    let problems = ManifestValidation(Self.widget(["CFBundleURLtypes": []])).problems
    #expect(problems.map(\.recovery) == ["Did you mean CFBundleURLTypes?"])
  }

  @Test func `without a version has version 0 and a warning`() throws {
    var entries = try #require(Self.widget().dictionaryValue)
    entries["CFBundleVersion"] = nil
    let validation = ManifestValidation(.dictionary(entries))
    #expect(validation.manifest?.version == BundleVersion("0"))
    #expect(validation.problems.map(\.severity) == [.warning])
  }

  @Test(arguments: ["CFBundleIdentifier", "CFBundleExecutable", "CFBundlePackageType", "NSExtension"])
  func `needs its required keys`(key: String) throws {
    var entries = try #require(Self.widget().dictionaryValue)
    entries[key] = nil
    let validation = ManifestValidation(.dictionary(entries))
    #expect(validation.manifest == nil)
    #expect(validation.problems.contains { $0.keyPath == key && $0.severity == .error })
  }

  @Test func `that cannot be used still tells its identifier and point`() {
    let validation = ManifestValidation(Self.widget(["CFBundleExecutable": "/x"]))
    #expect(validation.manifest == nil)
    #expect(validation.identifier == "com.example.notes.clock" && validation.point == .clock)
  }

  @Test func `names file, line and key path in its problems`() {
    let node = PropertyListNode(
      .dictionary([
        .init("CFBundleIdentifier", PropertyListNode(.scalar(3), line: 5)),
        .init("CFBundlePackageType", PropertyListNode(.scalar("XPC!"), line: 6)),
      ]), line: 3)
    let problems = ManifestValidation(node, file: "A.plist", points: .testing).problems
    let problem = problems.first { $0.keyPath == "CFBundleIdentifier" }
    #expect(problem?.file == "A.plist" && problem?.line == 5)
    #expect(
      problem?.description
        == "A.plist:5: error: CFBundleIdentifier: The value is of type integer, not string.")
    #expect(problems.first { $0.keyPath == "CFBundleExecutable" }?.line == 3)
  }

  @Test func `with thousands of unknown keys is checked quickly`() {
    var entries: Dictionary = [:]
    for number in 0..<10_000 { entries["Key\(number)"] = 1 }
    #expect(ManifestValidation(Self.widget(entries)).problems.count == 20)
  }
}
