import JSONRPC
import Foundation
import JSON
import Testing

/// `--url file:///…`: the file, and its address.
@Suite(.timeLimit(.minutes(1)))
struct `A file URL at the command line` {
  private static func rule(_ key: String) -> String {
    "<key>NSExtensionAttributes</key><dict><key>NSExtensionActivationRule</key><dict><key>\(key)</key>"
      + (key.hasSuffix("Text") ? "<true/>" : "<integer>1</integer>") + "</dict></dict>"
  }

  @Test(
    .enabled(if: Script.isAvailable),
    arguments: [
      ("photo.jpg", "NSExtensionActivationSupportsImageWithMaxCount", true),
      ("photo.jpg", "NSExtensionActivationSupportsFileWithMaxCount", true),
      ("note.txt", "NSExtensionActivationSupportsText", true),
      ("data.bin", "NSExtensionActivationSupportsFileWithMaxCount", true),
      ("data.bin", "NSExtensionActivationSupportsImageWithMaxCount", false),
      ("photo.jpg", "NSExtensionActivationSupportsWebURLWithMaxCount", false),
    ])
  func `is offered to who takes files of its type`(name: String, key: String, isOffered: Bool) async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install("taker", point: "com.apple.services", in: folder, attributes: Self.rule(key), "pass")
    let file = try folder.write(name, "\u{0}")
    let matches = try await HostTool(folder)([
      "match", "--url", "file://\(file)", "--json", "--manifests", "\(folder.path)/manifests", "--manifests",
      Build.fixtures,
    ]).json
    #expect(matches.arrayValue?.first { $0["id"] == .string(id) }?["offered"] == .bool(isOffered), "\(matches)")
  }

  @Test(.enabled(if: Script.isAvailable)) func `gives the bytes as the file's type, and itself as a file URL`()
    async throws
  {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "reader", point: "com.apple.services", in: folder,
      attributes: Self.rule("NSExtensionActivationSupportsFileWithMaxCount"),
      """
      if method == "context/beginRequest":
          answer({"accepted": True})
          given = params["inputItems"][0]["attachments"][0]
      else:
          answer({})
          load = {"requestID": params["requestID"], "itemID": given["itemID"]}
          seen = [given["registeredTypeIdentifiers"], given["suggestedName"]]
          for wanted in ["public.data", "public.url"]:
              seen.append(call("item/load", {**load, "typeIdentifier": wanted})["result"]["inline"]["value"])
          call("context/completeRequest", {"requestID": params["requestID"], "returningItems": [
              {"attributedContentText": json.dumps(seen)}]})
      """)
    let file = try folder.write("a b.json", "{}")
    let url = "file://localhost\(file.replacing(" ", with: "%20"))#part"
    let output = try await HostTool(folder)([
      "action", "--url", url, "--with", id, "--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures,
    ])
    #expect(output.status == 0, "\(output)")
    let seen = try JSONValue(parsing: output.stdout)
    #expect(seen == [["public.json", "public.file-url"], "a b.json", "{}", .string(url)])
  }

  @Test(arguments: [
    ("file:///no/such/file", "Cannot read /no/such/file", 66), ("file:///tmp", "not a regular file", 66),
    ("file://server/etc/passwd", "another machine", 64), ("file:relative", "names no file", 64),
    ("file:///a%zz", "names no file", 64), ("file:///a%00b", "names no file", 64), ("file://", "names no file", 64),
  ])
  func `that leads nowhere is refused`(url: String, message: String, status: Int) async throws {
    let output = try await HostTool()("match", "--url", url)
    #expect(Int(output.status) == status, "\(output)")
    #expect(output.stderr.contains("error: ") && output.stderr.contains(message), "\(output)")
  }
}

/// `host match`, and extensions that cannot be used.
@Suite(.timeLimit(.minutes(1)))
struct `The match of an input` {
  private static func manifest(_ name: String, _ rest: String) -> String {
    """
    <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>org.example.\(name)</string>
    <key>CFBundleVersion</key><string>1</string>\(rest)</dict></plist>

    """
  }

  private static func point(_ name: String, program: String = "none") -> String {
    """
    <key>CFBundlePackageType</key><string>XPC!</string><key>CFBundleExecutable</key><string>\(program)</string>
    <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key><string>\(name)</string></dict>
    """
  }

  @Test func `names unusable extensions of its points alone, each once, with the reason`() async throws {
    let host = try HostTool()
    for (name, rest) in [
      ("share", Self.point("com.apple.share-services")), ("widget", Self.point("com.apple.widget-extension")),
      ("nowhere", Self.point("org.example.no-point")), ("app", "<key>CFBundlePackageType</key><string>APPL</string>"),
      ("broken", "<key>CFBundlePackageType</key><string>APPL</string><key>CFBundleName</key><integer>1</integer>"),
    ] { try host.folder.write("manifests/\(name).plist", Self.manifest(name, rest)) }
    let words = ["match", "--text", "x", "--manifests", "\(host.folder.path)/manifests", "--manifests", Build.samples]
    let matches = try await host(words + ["--json"])
    let rows = try matches.json.arrayValue ?? []
    let ids = rows.compactMap { $0["id"]?.stringValue }
    #expect(matches.status == 0 && ids.filter { $0.hasPrefix("org.example.") } == ["org.example.share"], "\(matches)")
    #expect(Set(ids).count == ids.count && ids.contains("com.example.adventures.share"), "\(ids)")
    #expect(rows.last?["offered"] == false && rows.last?["reasons"]?.arrayValue?.isEmpty == false, "\(matches)")
    let plain = try await host(words).stdout
    #expect(plain.contains("+ com.example.adventures.share\n") && !plain.contains("org.example."), "\(plain)")
    #expect(!plain.contains("- "), "\(plain)")
    let explained = try await host(words + ["--explain"]).stdout
    #expect(explained.contains(" org.example.share\n    ") && !explained.contains("org.example.widget"), "\(explained)")
    let none = try await host("match", "--text", "x", "--manifests", "\(host.folder.path)/manifests")
    #expect(none.status == 1 && none.stdout == "", "\(none)")
  }
}
