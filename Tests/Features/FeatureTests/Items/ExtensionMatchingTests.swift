import JSONRPC
import AppExtensions
import ExtensionHosting
import Foundation
import HostServices
import JSON
import Testing

/// Which extensions a host app offers for what its user has.
@Suite(.timeLimit(.minutes(1)))
struct `An item that is offered` {
  private static let share = "com.example.notes.share"
  private static let action = "com.example.notes.pages"
  private static let reader = "com.example.notes.reader"

  private static func manifest(_ id: String, _ type: String, _ rest: String = "") -> String {
    """
    <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>\(id)</string>
    <key>CFBundleExecutable</key><string>true</string><key>CFBundlePackageType</key><string>\(type)</string>
    <key>CFBundleVersion</key><string>1</string>\(rest)</dict></plist>
    """
  }

  private static func extensionKeys(_ point: String, _ rule: String) -> String {
    """
    <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key><string>\(point)</string>
    <key>NSExtensionAttributes</key><dict><key>NSExtensionActivationRule</key>\(rule)</dict></dict>
    """
  }

  private static func count(_ what: String, _ number: Int) -> String {
    "<key>NSExtensionActivationSupports\(what)WithMaxCount</key><integer>\(number)</integer>"
  }

  private func withHost<Value>(
    refusing points: Set<ExtensionPoint> = [], _ body: (ExtensionHost) async throws -> Value
  ) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "matching-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = "<key>NSExtensionActivationSupportsText</key><true/>"
    let manifests = [
      "app": Self.manifest("com.example.notes", "APPL"),
      "share": Self.manifest(
        Self.share, "XPC!",
        Self.extensionKeys(
          "com.apple.share-services", "<dict>\(text)\(Self.count("WebURL", 1))\(Self.count("File", 2))</dict>")),
      "pages": Self.manifest(
        Self.action, "XPC!", Self.extensionKeys("com.apple.services", "<dict>\(Self.count("WebPage", 1))</dict>")),
      "reader": Self.manifest(
        Self.reader, "XPC!",
        Self.extensionKeys("com.apple.ui-services", "<string>extensionItems[0].userInfo.pages == 3</string>")),
    ]
    for (name, text) in manifests { try Data(text.utf8).write(to: folder.appending(path: "\(name).plist")) }
    var configuration = ExtensionHost.Configuration(
      registry: ExtensionRegistry(
        RegistrySources(manifestFolders: [.init(path: folder.path, products: "/usr/bin")])),
      state: StateDirectory(path: folder.path), launcherPath: "/nonexistent")
    configuration.refusedPoints = points
    return try await body(ExtensionHost(configuration: configuration, services: []))
  }

  private static let png = ItemProvider(
    itemID: "a1", registeredTypeIdentifiers: ["public.png"], suggestedName: "cave.png")

  @Test(
    arguments: [
      ([ItemProvider.text("Hello")], [share]), ([.url("https://example.com")], [share]),
      ([.url("https://example.com"), .url("https://example.org")], []), ([.url("ftp://example.com")], []),
      ([.url("file:///tmp/a.txt")], [share]), ([png, png], [share]), ([png, png, png], []),
      ([ItemProvider(itemID: "a1", registeredTypeIdentifiers: ["public.png"])], []),
      ([.pageResults(["title": "Caves"])], [action]), ([.propertyList(["title": "Caves"])], []),
    ] as [([ItemProvider], [String])])
  func `reaches the extensions whose rule takes it`(attachments: [ItemProvider], expected: [String]) async throws {
    let found = try await withHost { $0.extensions(matching: [ExtensionItem(attachments: attachments)]) }
    #expect(found.map(\.entry.identifier) == expected)
  }

  @Test func `is explained, also by those that do not take it`() async throws {
    let item = ExtensionItem(attachments: [.text("Hello")])
    let all = try await withHost { $0.extensions(matching: [item], includingRefused: true) }
    #expect(all.map(\.entry.identifier) == [Self.action, Self.reader, Self.share])
    #expect(all.map(\.isOffered) == [false, false, true])
    #expect(all.allSatisfy { !$0.explanation.isEmpty })
    #expect(all[0].explanation.last == "The rule supports none of the attachments.")
  }

  @Test(arguments: [(3, true), (4, false)]) func `is known by what the host app says of it`(
    pages: Int64, isOffered: Bool
  ) async throws {
    let item = ExtensionItem(userInfo: ["pages": .integer(pages)])
    #expect(try JSONCoding.decode(ExtensionItem.self, from: JSONCoding.value(of: item)) == item)
    let found = try await withHost { $0.extensions(matching: [item]) }
    #expect(found.map(\.entry.identifier) == (isOffered ? [Self.reader] : []))
  }

  @Test func `is compared once, however often it is asked about`() async throws {
    let item = ExtensionItem(attachments: [.text("Hello")])
    try await withHost { host in
      for _ in 0..<3 { #expect(host.extensions(matching: [item]).count == 1) }
      #expect(host.rememberedMatches == 3)
      #expect(host.extensions(matching: [item], at: [.action]).isEmpty)
      #expect(host.rememberedMatches == 3)
    }
  }

  @Test func `is not for the extension points that the host app refuses`() async throws {
    let item = ExtensionItem(attachments: [.text("Hello")])
    try await withHost(refusing: [.share]) { host in
      #expect(
        host.extensions(matching: [item], includingRefused: true).map(\.entry.identifier) == [Self.action, Self.reader])
      let caught = await #expect(throws: ExtensionError.self) { try await host.withExtension(Self.share) { _ in } }
      #expect(caught?.code == .pointDisallows)
      #expect(caught?.message == "This host uses no extensions for share.")
    }
  }
}
