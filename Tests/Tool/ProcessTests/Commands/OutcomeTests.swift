import JSONRPC
import JSON
import Testing

/// How a command shows the ways in which a widget or a request can come out.
@Suite(.timeLimit(.minutes(1)), .enabled(if: Script.isAvailable))
struct `An outcome` {
  /// Installs an extension and gives the tool and the options that find it.
  private func host(
    _ name: String, point: String = "com.apple.widget-extension", attributes: String = "", _ body: String
  ) throws -> (host: HostTool, id: String, options: [String]) {
    let folder = try TemporaryFolder()
    let id = try Script.install(name, point: point, in: folder, attributes: attributes, body)
    return (try HostTool(folder), id, ["--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures])
  }

  private func share(_ body: String) async throws -> (plain: Program.Output, json: JSONValue) {
    let (host, id, options) = try host(
      "sharing", point: "com.apple.share-services", attributes: Script.takesText,
      """
      if method == "context/beginRequest": answer({"accepted": True})
      elif method == "share/validateContent": answer({"isValid": True})
      else:
      \(body.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))
      """)
    let words = ["share", "--text", "x", "--with", id] + options
    return (try await host(words), try await host(words + ["--json"]).json)
  }

  @Test func `of a refused call names the symbol, and what to use instead`() async throws {
    let (host, id, options) = try host(
      "networked",
      """
      import socket
      try:
          socket.socket()
          show("open")
      except OSError:
          told = call("api/report", {"symbol": "socket"})["result"]
          show(str(told["allowed"]) + ": " + told["reason"])
      """)
    let output = try await host(["today", id] + options)
    #expect(output.stdout == "networked\n  False: An extension has no network and no sockets.\n", "\(output)")
    #expect(output.stderr.contains("warning: [\(id)] An extension tried to use what is not open to extensions."))
    for fact in ["error.code=apiUnavailable", "symbol=socket", "instead=Ask the host for content"] {
      #expect(output.stderr.contains(fact), "\(output)")
    }
  }

  @Test func `without news shows the last view, and a failure marks it as old`() async throws {
    let (host, id, options) = try host(
      "moody",
      """
      path = directories["container"] + "/count"
      count = int(open(path).read()) if os.path.exists(path) else 0
      open(path, "w").write(str(count + 1))
      if count == 0: answer({"result": "noData"})
      elif count == 1: show("The news")
      elif count == 2: answer({"result": "noData"})
      elif count == 3: answer({"result": "failed"})
      else: sys.exit(9)
      """)
    let nothing = try await host(["today", id] + options)
    #expect(nothing.status == 0)
    #expect(nothing.stdout == "moody (unchanged)\n  nothing to show yet\n")
    #expect(try await host(["today", id] + options).stdout == "moody\n  The news\n")
    #expect(try await host(["today", id] + options).stdout == "moody (unchanged)\n  The news\n")
    let failed = try await host(["today", id] + options)
    #expect(failed.status == 1)
    #expect(failed.stdout == "moody (stale)\n  The news\n")
    #expect(failed.stderr.hasPrefix("error: moody reports that its update failed."))
    let exited = try await host(["today", id, "--json"] + options)
    #expect(exited.status == 1)
    let update = try exited.json[0]
    #expect(Program.Output.names(update) == ["id", "result", "stale", "updatedAt", "view", "error"])
    #expect(update?["result"] == "failed")
    #expect(update?["stale"] == true)
    #expect(update?["view"]?["text"] == "The news")
    #expect(update?["error"]?["name"] == "peerExited")
  }

  @Test func `cancelled is a failure with the extension's reason`() async throws {
    let (plain, json) = try await share(
      """
      answer({})
      call("context/cancelRequest", {"requestID": params["requestID"],
           "error": {"domain": "NSCocoaErrorDomain", "code": 3072, "localizedDescription": "Not\\u001b[31m now."}})
      """)
    #expect(plain.status == 1)
    #expect(plain.stderr.hasPrefix("error: sharing cancelled the request: Not\\u{1b}[31m now.\nhelp: "), "\(plain)")
    #expect(Program.Output.names(json) == ["id", "outcome", "items", "error"])
    #expect(json["outcome"] == "cancelled")
    #expect(json["error"]?["code"] == 3072)
  }

  @Test func `completed shows texts without control characters`() async throws {
    let (plain, json) = try await share(
      """
      answer({})
      call("context/completeRequest", {"requestID": params["requestID"], "returningItems": [
          {"attributedTitle": "T\\u001b[2J", "attributedContentText": "two\\nlines\\u0007", "attachments": [
              {"itemID": "i", "registeredTypeIdentifiers": ["public.png"], "estimatedSize": 3,
               "inline": {"type": "public.png", "value": "YWJj", "encoding": "base64"}}]}]})
      """)
    #expect(plain.stdout == "T\\u{1b}[2J\ntwo\nlines\\u{7}\n(public.png, 3 bytes)\n", "\(plain)")
    #expect(json["items"]?[0]?["attachments"]?[0]?["inline"]?["encoding"] == "base64")
  }

  @Test func `not accepted is a failure`() async throws {
    let (host, id, options) = try host(
      "choosy", point: "com.apple.share-services", attributes: Script.takesText, "answer({\"accepted\": False})")
    let output = try await host(["share", "--text", "x", "--with", id] + options)
    #expect(output.status == 1)
    #expect(output.stderr.hasPrefix("error: choosy did not accept the request."), "\(output)")
  }

  @Test func `of an action in bytes is written to a file as it is`() async throws {
    let (host, id, options) = try host(
      "painter", point: "com.apple.services", attributes: Script.takesText,
      """
      if method == "context/beginRequest": answer({"accepted": True})
      else:
          answer({})
          call("context/completeRequest", {"requestID": params["requestID"], "returningItems": [
              {"attachments": [{"itemID": "i", "registeredTypeIdentifiers": ["public.png"],
               "inline": {"type": "public.png", "value": "YWJj", "encoding": "base64"}}]}]})
      """)
    let file = "\(host.folder.path)/out.png"
    let output = try await host(["action", "--text", "x", "--with", id, "-o", file] + options)
    #expect(output.status == 0, "\(output)")
    #expect(host.folder.contents("out.png") == "abc")
  }
}
