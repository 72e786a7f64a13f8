import JSONRPC
import Foundation
import JSON
import Testing

/// Roles, pages and options at the command line.
@Suite(.timeLimit(.minutes(1)))
struct `An action at the command line` {
  @Test(.enabled(if: Script.isAvailable)) func `reads a page, and its arguments are written to a file`() async throws {
    let host = try HostTool()
    let page = try host.folder.write("page.json", #"{"title": "Caves", "text": "one two three"}"#)
    let output = try await host("action", "--page", page)
    #expect(output.status == 0, "\(output)")
    #expect(output.stdout == "{\n  \"title\": \"Caves\",\n  \"words\": 3,\n  \"minutes\": 1\n}\n")
    let document = try await host("action", "--page", page, "--json").json
    #expect(document["finalizeArguments"]?["words"] == 3)
    let file = "\(host.folder.path)/facts.json"
    #expect(try await host("action", "--page", page, "-o", file).status == 0)
    #expect(try JSONValue(parsing: host.folder.contents("facts.json") ?? "")["title"] == "Caves")
  }

  @Test func `that takes no pages is refused one, with the key that it lacks`() async throws {
    let host = try HostTool()
    let page = try host.folder.write("page.json", "{}")
    let output = try await host("action", "--page", page, "--with", "com.example.adventures.digest")
    #expect(output.status == 1)
    #expect(output.stderr.contains("NSExtensionActivationSupportsWebPageWithMaxCount"), "\(output)")
  }

  @Test(arguments: ["[1]", "no json", ""]) func `is not given a page that is no object`(text: String) async throws {
    let host = try HostTool()
    let page = try host.folder.write("page.json", text)
    let output = try await host("action", "--page", page)
    #expect(output.status == 65)
    #expect(output.stderr.contains("is not a JSON object."), "\(output)")
  }

  @Test func `that edits replaces what it was given`() async throws {
    let host = try HostTool()
    let files = try ["Arrive", "Caves"].map { try host.folder.write("\($0).txt", $0) }
    let words = ["action", files[0], files[1], "--with", "com.example.adventures.itinerary", "--json"]
    let document = try await host(words).json
    let attachments = document["items"]?[0]?["attachments"]?.arrayValue ?? []
    #expect(document["items"]?.arrayValue?.count == 1)
    #expect(attachments.map { $0["inline"]?["value"] } == ["Day 1\nArrive", "Day 2\nCaves"])
    #expect(attachments.map { $0["itemID"] } == ["a1", "a2"])
    let refused = try await host(words + ["--accept", "public.image"]).json
    #expect(refused["warnings"]?.arrayValue?.count == 2)
    // Nothing was taken back: the input is as it was.
    #expect(refused["items"]?[0]?["attachments"]?[0]?["inline"]?["value"] == "Arrive")
  }

  @Test(.enabled(if: Script.isAvailable)) func `that views returns nothing, with a warning`() async throws {
    let folder = try TemporaryFolder()
    let attributes = Script.takesText.replacing(
      "<key>NSExtensionActivationRule</key>",
      with: "<key>NSExtensionServiceRoleType</key><string>NSExtensionServiceRoleTypeViewer</string>"
        + "<key>NSExtensionActivationRule</key>")
    let id = try Script.install(
      "viewer", point: "com.apple.services", in: folder, attributes: attributes,
      """
      if method == "context/beginRequest": answer({"accepted": True})
      else:
          answer({})
          call("context/completeRequest", {"requestID": params["requestID"], "returningItems": [{"attributedTitle": "T"}]})
      """)
    let output = try await HostTool(folder)(
      ["action", "--text", "x", "--with", id, "--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures])
    #expect(output.status == 0, "\(output)")
    #expect(output.stdout == "")
    #expect(output.stderr.contains("warning: A viewer returns nothing; 1 item(s) were dropped."), "\(output)")
  }

  @Test(arguments: [
    ("list=Never", "“Never” is not a choice for List.", "Ideas, Booked, Packing"),
    ("lst=Ideas", "Adventures Share has no option “lst”.", "list=Ideas|Booked|Packing"),
    ("list", "“list” is not an option.", "NAME=VALUE"),
  ])
  func `or a share has its options checked`(option: String, error: String, help: String) async throws {
    let output = try await HostTool()("share", "--text", "x", "--option", option)
    #expect(output.status == 64)
    #expect(output.stderr.contains("error: \(error)") && output.stderr.contains(help), "\(output)")
  }

  @Test func `or a share says everything that is missing`() async throws {
    let host = try HostTool()
    let file = try host.folder.write("note.txt", "x")
    let output = try await host("share", file, "--manifests", Build.samples, "--manifests", Build.fixtures)
    #expect(output.status == 64)
    #expect(output.stderr.contains("--with ID") && output.stderr.contains("--post TEXT"), "\(output)")
  }

  @Test(.enabled(if: Script.isAvailable)) func `that dies is an interruption, with the code that host apps know`()
    async throws
  {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "mortal", point: "com.apple.services", in: folder, attributes: Script.takesText, "sys.exit(7)")
    let error = try await HostTool(folder)([
      "action", "--text", "x", "--with", id, "--json", "--manifests", "\(folder.path)/manifests", "--manifests",
      Build.fixtures,
    ]).json
    #expect(error["name"] == "peerExited")
    #expect(error["details"]?["domain"] == "NSCocoaErrorDomain")
    #expect(error["details"]?["code"] == 4097)
  }
}
