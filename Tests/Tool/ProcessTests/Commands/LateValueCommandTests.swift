import JSONRPC
import Foundation
import JSON
import Testing

/// Attachments that an extension returns without their values.
@Suite(.timeLimit(.minutes(1)), .enabled(if: Script.isAvailable))
struct `A value that is made late` {
  /// Returns two attachments whose values are asked for afterwards: a large picture and a short text.
  private static let returnsLate = """
    if method == "item/provide":
        if params["itemID"] == "n1":
            FIRST
        else:
            LATE
    elif method == "context/beginRequest": answer({"accepted": True})
    elif method in ("share/didSelectPost", "action/perform"):
        answer({})
        send({"id": 1, "method": "context/completeRequest", "params": {"requestID": params["requestID"], "returningItems": [
            {"attachments": [
                {"itemID": "n1", "registeredTypeIdentifiers": ["public.png"]},
                {"itemID": "n2", "registeredTypeIdentifiers": ["public.plain-text"]}]}]}})
    elif method is not None: send({"id": request["id"], "error": {"code": -32601, "message": "no"}})
    """

  /// One line of Python that provides 100,000 bytes in a file.
  private static let provides =
    #"open(os.path.join(directories["scratch"], "late"), "wb").write(b"\xff" * 100000); "#
    + #"answer({"kind": "file", "typeIdentifier": params["typeIdentifier"], "path": "late"})"#

  private func run(
    _ words: [String], point: String, first: String = Self.provides,
    late: String = #"answer({"kind": "text", "typeIdentifier": "public.plain-text", "value": "Late"})"#
  ) async throws -> (output: Program.Output, folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "late", point: point, in: folder, attributes: Script.takesText,
      Self.returnsLate.replacing("FIRST", with: first).replacing("LATE", with: late))
    let options = [
      "--text", "x", "--with", id, "--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures,
    ]
    return (try await HostTool(folder)(words.map { $0.replacing("FOLDER", with: folder.path) } + options), folder)
  }

  @Test(arguments: [("action", "com.apple.services"), ("share", "com.apple.share-services")])
  func `is fetched before the extension ends, and written to a file`(command: String, point: String) async throws {
    let (output, folder) = try await run([command, "-o", "FOLDER/out"], point: point)
    #expect(output.status == 0, "\(output)")
    #expect(output.stdout == "")
    let written = try Data(contentsOf: URL(filePath: "\(folder.path)/out"))
    #expect(written == Data(repeating: 0xFF, count: 100_000) + Data("Late\n".utf8))
  }

  @Test(arguments: [("action", "com.apple.services"), ("share", "com.apple.share-services")])
  func `is shown when it is small, and described when it is large`(command: String, point: String) async throws {
    let (output, _) = try await run([command, "--json"], point: point)
    let attachments = try output.json["items"]?[0]?["attachments"]
    #expect(attachments?[1]?["inline"]?["value"] == "Late", "\(output)")
    #expect(attachments?[0]?["inline"] == nil)
    #expect(attachments?[0]?["estimatedSize"] == 100_000)
    #expect(try output.json["warnings"] == nil)
  }

  @Test func `that its extension takes with it is asked for once`() async throws {
    let (output, _) = try await run(["action", "--json"], point: "com.apple.services", first: "sys.exit(7)")
    let warnings = try output.json["warnings"]?.arrayValue ?? []
    #expect(warnings.count == 2)
    #expect(warnings.allSatisfy { $0.stringValue?.contains("There is no value of n") == true }, "\(output)")
  }

  /// Returns so many attachments whose values are asked for afterwards, each of some megabytes, or an error of that size.
  private func flood(_ count: Int, _ late: String) async throws -> Program.Output {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "flood", point: "com.apple.services", in: folder, attributes: Script.takesText,
      """
      if method == "item/provide": \(late)
      elif method == "context/beginRequest": answer({"accepted": True})
      elif method == "action/perform":
          answer({})
          items = [{"itemID": "n%d" % n, "registeredTypeIdentifiers": ["public.plain-text"]} for n in range(\(count))]
          send({"id": 1, "method": "context/completeRequest", "params": {
              "requestID": params["requestID"], "returningItems": [{"attachments": items}]}})
      elif method is not None: send({"id": request["id"], "error": {"code": -32601, "message": "no"}})
      """)
    return try await HostTool(folder)([
      "action", "--json", "--text", "x", "--with", id, "--manifests", "\(folder.path)/manifests", "--manifests",
      Build.fixtures,
    ])
  }

  @Test func `is one of many that are no more than the host takes all in all`() async throws {
    let value = #"answer({"kind": "text", "typeIdentifier": "public.plain-text", "value": "x" * 3000000})"#
    let output = try await flood(40, value)
    let warnings = try output.json["warnings"]?.arrayValue ?? []
    // 64 MiB hold 22 of them.
    #expect(warnings.count == 18, "\(output.stderr)")
    #expect(warnings.allSatisfy { $0.stringValue?.contains("at most") == true })
  }

  @Test func `whose error is kept in its place is no more than a sentence`() async throws {
    let error = #"send({"id": request["id"], "error": {"code": -32000, "message": "x" * 1000000}})"#
    let output = try await flood(10, error)
    let warnings = try #require(try? output.json["warnings"]?.arrayValue, "\(output.stderr)")
    #expect(warnings.count == 10)
    #expect(warnings.allSatisfy { $0.stringValue?.utf8.count ?? 0 < 1000 })
  }

  @Test func `that does not come is a warning, and no file`() async throws {
    let late = #"send({"id": request["id"], "error": {"code": -32000, "message": "Lost."}})"#
    let (output, _) = try await run(["action", "--json"], point: "com.apple.services", late: late)
    #expect(output.status == 0, "\(output)")
    #expect(try output.json["warnings"] == ["There is no value of n2: Lost."])
    let (failed, folder) = try await run(["action", "-o", "FOLDER/out"], point: "com.apple.services", late: late)
    #expect(failed.status == 1)
    #expect(failed.stderr.contains("answered: Lost."), "\(failed)")
    #expect(folder.contents("out") == nil)
  }
}
