import Activation
import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionProtocol
import HostServices
import JSON
import TestSupport
import Testing

@testable import ExtensionHosting
@testable import FeatureCommands

private let options: [CommandOption] = [
  .text, .url, .title, .value("page", "FILE", "The results of a page"), .returned,
]

/// What a user passes to an extension.
@Suite(.timeLimit(.minutes(1)))
struct `The input of a sheet` {
  private let stage: FeatureStage

  init() throws { stage = try FeatureStage(options, arguments: [CommandArgument("FILE", "Files", .any)]) }

  private static func types(_ input: SharedInput) -> [[String]] {
    input.item.attachments.map(\.registeredTypeIdentifiers)
  }

  @Test func `is a text, an address and files, numbered in this order`() throws {
    let file = try stage.folder.write("abc", to: "a.txt")
    let input = try SharedInput(
      try stage.invocation(file, "--text", "T", "--url", "https://a.example", "--title", "N"))
    #expect(input.item.attachments.map(\.itemID) == ["a1", "a2", "a3"])
    #expect(input.item.attributedTitle == "N" && input.item.attributedContentText == "T")
    #expect(
      Self.types(input) == [
        ["public.utf8-plain-text", "public.plain-text"], ["public.url"], ["public.plain-text"],
      ])
    #expect(input.item.attachments.map(\.suggestedName) == [nil, nil, "a.txt"])
    #expect(input.item.attachments.map { $0.inline?.value } == ["T", "https://a.example", "abc"])
    #expect(input.bytes == ["a1": Array("T".utf8), "a3": Array("abc".utf8)])
    #expect(Set(input.sources.keys) == ["a1", "a3"])
    #expect(input.attachments.map(\.isFile) == [false, false, true])
    #expect(input.attachments.map(\.urlScheme) == [nil, "https", nil])
  }

  @Test func `travels with the request only while it is small`() throws {
    for (count, isInline) in [(ItemProvider.inlineLimit - 1, true), (ItemProvider.inlineLimit, false)] {
      let file = try stage.folder.write(String(repeating: "a", count: count), to: "a.txt")
      let input = try SharedInput(try stage.invocation(file))
      let attachment = try #require(input.item.attachments.first)
      #expect((attachment.inline != nil) == isInline && attachment.estimatedSize == count)
      #expect(input.bytes["a1"]?.count == count)
    }
  }

  @Test func `is a file of its own type, and a file URL too, by its address`() throws {
    let file = try stage.folder.write("abc", to: "a.txt")
    let input = try SharedInput(try stage.invocation("--url", "file://\(file)"))
    #expect(Self.types(input) == [["public.plain-text", "public.file-url"]])
    #expect(input.attachments.map(\.isFile) == [true] && input.item.attachments[0].suggestedName == "a.txt")
    #expect(input.item.attributedContentText == nil)
  }

  @Test func `is the results of a page`() throws {
    let file = try stage.folder.write(#"{"a": 1}"#, to: "page.json")
    let input = try SharedInput(try stage.invocation("--page", file))
    #expect(input.pageResults == ["a": 1] && [input.item].pageResults == ["a": 1])
    #expect(Array(input.sources.keys) == ["a1"])
    for wrong in ["[1]", "{", ""] {
      let file = try stage.folder.write(wrong, to: "page.json")
      let error = #expect(throws: ExtensionError.self) { try SharedInput(try stage.invocation("--page", file)) }
      #expect(error?.message == "\(file) is not a JSON object.")
    }
  }

  @Test func `is something`() throws {
    let nothing = #expect(throws: CommandLineError.self) { try SharedInput(try stage.invocation("--title", "N")) }
    #expect(nothing?.message == "There is nothing to pass on.")
    let address = #expect(throws: CommandLineError.self) { try SharedInput(try stage.invocation("--url", "a")) }
    #expect(address?.message == "“a” is not a URL.")
    #expect(throws: InputError.self) { try SharedInput(try stage.invocation(stage.folder.file("none"))) }
  }
}

/// What `-o` writes of an extension's answer.
@Suite(.timeLimit(.minutes(1)))
struct `The file of what is returned` {
  private let stage: FeatureStage
  private let entry: RegistryEntry

  init() throws {
    stage = try FeatureStage(options, arguments: [CommandArgument("FILE", "Files", .any)])
    _ = try stage.folder.write(
      """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>org.example.Clock</string>
      <key>CFBundlePackageType</key><string>XPC!</string><key>CFBundleExecutable</key><string>none</string>
      <key>CFBundleVersion</key><string>1</string><key>CFBundleDisplayName</key><string>Clock</string>
      <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key><string>com.apple.widget-extension</string></dict>
      </dict></plist>
      """, to: "clock.plist")
    let places = RegistrySources(manifestFolders: [.init(path: stage.folder.path, products: stage.folder.path)])
    entry = try #require(ExtensionRegistry(places, points: [Today.self]).entries.first)
  }

  private func bytes(_ items: ExtensionItem...) throws -> String {
    let invocation = try stage.invocation("--text", "given")
    let late = LateAttachments(of: try SharedInput(invocation))
    let file = ReturnedFile(entry: entry, items: items, late: late, types: try invocation.registry().types)
    return String(decoding: try file.bytes(), as: UTF8.self)
  }

  private static func data(_ value: String, id: String = "d") -> ItemProvider {
    ItemProvider(
      itemID: id, registeredTypeIdentifiers: ["public.data"],
      inline: .init(type: "public.data", value: value, encoding: "base64"))
  }

  @Test func `has a line end after each text, and none after data`() throws {
    #expect(try bytes(ExtensionItem(attachments: [.text("a"), .text("b\n")])) == "a\nb\n")
    // A return and a line feed are one character.
    #expect(try bytes(ExtensionItem(attachments: [.text("a\r\n"), .text("b\r")])) == "a\r\nb\r\n")
    // YWI= is “ab”.
    #expect(try bytes(ExtensionItem(attachments: [Self.data("YWI="), Self.data("YWI=")])) == "abab")
    #expect(
      try bytes(ExtensionItem(contentText: "no", attachments: [.text("a")]), ExtensionItem(attachments: [.text("b")]))
        == "a\nb\n")
    #expect(try bytes(ExtensionItem(contentText: "no", attachments: [Self.data("")])) == "")
  }

  @Test func `has the texts of the items where nothing is attached`() throws {
    #expect(try bytes(ExtensionItem(title: "t", contentText: "a"), ExtensionItem(contentText: "b\n")) == "a\nb\n")
  }

  @Test func `is what a page gets, where there is that`() throws {
    let page = ItemProvider.finalizeArguments(["a": 1])
    #expect(
      try bytes(ExtensionItem(attachments: [.text("x"), page])) == JSONCoding.prettyText(of: ["a": 1]) + "\n")
  }

  @Test func `has what came from the user and goes back without its value`() throws {
    // It was passed as the first attachment.
    let back = ItemProvider(itemID: "a1", registeredTypeIdentifiers: ["public.plain-text"])
    #expect(try bytes(ExtensionItem(attachments: [back])) == "given\n")
    let data = ItemProvider(itemID: "a1", registeredTypeIdentifiers: ["public.data"])
    #expect(try bytes(ExtensionItem(attachments: [data])) == "given")
    // An attachment of another's with that name, and with a value, is another one.
    #expect(try bytes(ExtensionItem(attachments: [.text("own", itemID: "a1")])) == "own\n")
  }

  @Test func `is not written of nothing`() {
    for items in [[], [ExtensionItem(title: "t")]] {
      let error = #expect(throws: ExtensionError.self) {
        items.isEmpty ? try bytes() : try bytes(items[0])
      }
      #expect(error?.code == .contentInvalid)
    }
  }

  // MARK: Errors

  @Test func `keeps an error of an attachment up to its longest`() {
    let limit = LateAttachments.longestError
    func kept(_ count: Int, details: [String: JSONValue] = [:]) -> ExtensionError {
      let message = String(repeating: "m", count: count)
      return LateAttachments.shortened(ExtensionError(.handlerFailed, message, recovery: "", details: details))
    }
    #expect(kept(limit).message.count == limit)
    let cut = kept(limit + 1)
    #expect(cut.message == String(repeating: "m", count: limit / 8) + "…" && cut.code == .handlerFailed)
    // Whatever makes it long.
    let small = kept(10, details: ["a": .string(String(repeating: "d", count: limit))])
    #expect(small.details.isEmpty && small.code == .handlerFailed && small.message.hasPrefix("mmmmmmmmmm"))
  }
}
