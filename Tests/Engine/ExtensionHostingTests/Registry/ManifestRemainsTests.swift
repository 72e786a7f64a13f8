import ExtensionProtocol
import Testing

@testable import ExtensionHosting

/// What a manifest that cannot be read says all the same.
@Suite(.timeLimit(.minutes(1))) struct `What is left of a manifest` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func remains(_ text: String) throws -> ManifestRemains {
    ManifestRemains(try folder.write("broken.plist", text.utf8))
  }

  private static let key = "<key>CFBundleIdentifier</key>"

  @Test(
    arguments: [
      ("\(key)<string>a.b</string>", "a.b"), ("<<x>\(key) \n\t<string>a.b", "a.b"),
      ("\(key)<string>a.b</string>\(key)<string>c.d</string>", "a.b"),
      ("\(key)<string>a</string>\(key)<string>c.d</string>", nil), ("\(key)<integer>1</integer>", nil),
      ("\(key)x<string>a.b</string>", nil), ("\(key)<string></string>", nil), ("\(key)<string>a.é</string>", nil),
      ("\(key)<string> a.b</string>", nil), (key, nil), ("CFBundleIdentifier", nil), ("", nil),
      ("\(key)<string>a.\(String(repeating: "b", count: 198))<", "a.\(String(repeating: "b", count: 198))"),
      ("\(key)<string>a.\(String(repeating: "b", count: 199))<", nil),
    ] as [(String, String?)])
  func `is its identifier, if it is one`(text: String, identifier: String?) throws {
    #expect(try remains(text).identifier == identifier)
    #expect(try remains(text).point == nil)
  }

  @Test func `is its point, whatever else there is`() throws {
    let point = "<key>NSExtensionPointIdentifier</key><string>\(ExtensionPoint.clock.rawValue)</string>"
    #expect(try remains(point).point == .clock && remains(point).identifier == nil)
    let both = try remains("\(point)\(Self.key)<string>a.b</string>")
    #expect(both.point == .clock && both.identifier == "a.b")
    let none = ManifestRemains("\(folder.path)/none")
    #expect(none.point == nil && none.identifier == nil)
  }

  @Test func `is looked for in 256 KiB`() throws {
    let begin = "\(Self.key)<string>"
    for (more, identifier) in [(0, "a.b"), (1, nil)] as [(Int, String?)] {
      let space = String(repeating: " ", count: (256 << 10) - begin.utf8.count - 3 + more)
      #expect(try remains("\(space)\(begin)a.b</string>").identifier == identifier)
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The places of manifests` {
  @Test func `are told to another process, each once`() {
    let folders: [RegistrySources.ManifestFolder] = [
      .init(path: "/none/m", products: "/none/p", scripts: "/none/s", programs: ["/none/q", "/none/r"]),
      .init(path: "/none/n", products: "/none/p"),
    ]
    let registry = ExtensionRegistry(
      RegistrySources(bundles: ["/none/A.app", "/none/B.app"], manifestFolders: folders))
    let texts = ManifestPlaces.texts(of: registry)
    #expect(texts.count == 4)
    var other = RegistrySources(bundles: ["/none/B.app"])
    for _ in 0..<2 {
      ManifestPlaces.add(texts + ["nonsense", "[]", "{}", #"{"folder":"/x"}"#, #"{"products":"/x"}"#], to: &other)
      #expect(other.bundles == ["/none/B.app", "/none/A.app"] && other.manifestFolders == folders)
    }
    ManifestPlaces.add([#"{"folder":"/none/o","products":"/none/p"}"#], to: &other)
    #expect(
      other.manifestFolders == folders + [.init(path: "/none/o", products: "/none/p", scripts: nil, programs: [])])
  }

  @Test func `are two where a path is another spelling of an accent`() {
    let paths = ["/none/\u{E9}", "/none/e\u{301}"]
    let sources = RegistrySources(
      bundles: paths.map { "\($0).app" }, manifestFolders: paths.map { .init(path: $0, products: "/none/p") })
    var other = RegistrySources()
    for _ in 0..<2 { ManifestPlaces.add(ManifestPlaces.texts(of: ExtensionRegistry(sources)), to: &other) }
    #expect(other.bundles.map { Array($0.utf8) } == sources.bundles.map { Array($0.utf8) })
    #expect(other.manifestFolders.map { Array($0.path.utf8) } == paths.map { Array($0.utf8) })
  }
}
