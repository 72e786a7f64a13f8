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
