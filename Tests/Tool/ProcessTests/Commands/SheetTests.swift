import JSONRPC
import Foundation
import JSON
import Testing

/// What a user does at a terminal.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct `A sheet at a terminal` {
  private static let group = "group.com.example.adventures"

  @Test func `lists what takes the items, and posts what was written and chosen`() async throws {
    let host = try HostTool()
    let program = try host.atTerminal("share", "--text", "See you", "--url", "https://example.com")
    let menu = try await program.hear("Which one?")
    #expect(menu.contains("1  Adventures Share") && !menu.contains("Actions:"), "\(menu)")
    program.type("7\n")
    try await program.answer("There is no “7”.", with: "1")
    let sheet = try await program.hear("> ")
    #expect(sheet.contains("https://example.com") && sheet.contains("/1  List: Ideas"), "\(sheet)")
    #expect(sheet.contains("273 characters left"))
    program.type("there\n")
    try await program.answer("267 characters left", with: "/1")
    try await program.answer("List (1–3", with: "2")
    try await program.answer("List: Booked", with: String(repeating: "x", count: 300))
    try await program.answer("This cannot be posted yet.", with: "/post")
    try await program.answer("34 characters too long", with: "/clear")
    try await program.answer("280 characters left", with: "/nothing")
    try await program.answer("There is no /nothing.", with: "Short")
    try await program.answer("275 characters left", with: "/post")
    let (text, status) = try await program.finish()
    #expect(status == 0, "\(text)")
    #expect(text.hasSuffix("Shared with Adventures\nShort\nhttps://example.com\n"), "\(text)")
    let values = try await host("defaults", "read", Self.group, "--json").json["values"]?.objectValue
    let entry = values?.first { $0.key.hasPrefix("shared.") }?.value
    #expect(entry?["list"] == "Booked")
    #expect(entry?["text"] == "Short")
  }

  @Test func `suggests how the text could go on`() async throws {
    let host = try HostTool()
    let program = try host.atTerminal("share", "--url", "https://example.com", "--with", "com.example.adventures.share")
    try await program.answer("> ", with: "/complete")
    try await program.answer("There are no suggestions.", with: "A cave for #")
    try await program.answer("/complete: #Ideas, #Booked, #Packing", with: "/complete")
    try await program.answer("Which one? (1–3", with: "2")
    let taken = try await program.hear("characters left")
    #expect(taken.contains("  | A cave for #Booked"), "\(taken)")
    program.type("/post\n")
    let (text, status) = try await program.finish()
    #expect(status == 0 && text.contains("A cave for #Booked\nhttps://example.com"), "\(text)")
  }

  @Test func `is given up with a word, or with the end of the input`() async throws {
    let host = try HostTool()
    for word in ["/cancel\n", "\u{4}"] {
      let program = try host.atTerminal("share", "--text", "x", "--with", "com.example.adventures.share")
      try await program.hear("> ")
      program.type(word)
      let (text, status) = try await program.finish()
      #expect(status == 1)
      #expect(text.contains("Adventures Share cancelled the request: The user cancelled."), "\(text)")
    }
  }

  @Test func `offers actions below, and nothing when nothing is chosen`() async throws {
    let host = try HostTool()
    let program = try host.atTerminal("share", "--text", "One. Two.")
    let menu = try await program.hear("Which one?")
    #expect(menu.contains("Actions:\n  2  Adventures Digest") || menu.contains("Actions:\r\n  2  Adventures Digest"))
    program.type("2\n")
    #expect(try await program.finish().text.hasSuffix("Digest\nOne. (2 words)\n"))
    let other = try host.atTerminal("share", "--text", "x")
    try await other.answer("Which one?", with: "")
    let (text, status) = try await other.finish()
    #expect(status == 1)
    #expect(text.contains("Nothing was shared."))
  }

  @Test(.enabled(if: Script.isAvailable))
  func `withdraws its request when it is interrupted, and the extension hears it`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "listener", point: "com.apple.share-services", in: folder, attributes: Script.takesText,
      """
      if method == "context/beginRequest": answer({"accepted": True})
      else: send({"id": request["id"], "error": {"code": -32601, "message": "no"}})
      """,
      notification: "open(directories['container'] + '/' + method.replace('/', '-'), 'w').write(json.dumps(params))")
    let host = try HostTool(folder)
    let program = try host.atTerminal(
      "share", "--text", "x", "--with", id, "--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures)
    try await program.hear("> ")
    program.signal(SIGINT)
    #expect(try await program.finish().status == 130)
    let withdrawn = folder.contents("home/containers/\(id)/context-cancel") ?? ""
    #expect(withdrawn.contains("3072"), "\(folder.names(in: "home/containers/\(id)"))")
    #expect(folder.contents("home/containers/\(id)/context-hostStateDidChange")?.contains("didBecomeActive") == true)
    #expect(folder.names(in: "home/scratch").isEmpty)
  }

  @Test(arguments: [("n", Int32(1)), ("", 0), ("y", 0)])
  func `asks before the result of an action with a view is used`(answer: String, status: Int32) async throws {
    let host = try HostTool()
    let files = try ["Arrive", "Caves"].map { try host.folder.write("\($0).txt", $0) }
    let program = try host.atTerminal("action", files[0], files[1], "--with", "com.example.adventures.itinerary")
    let view = try await program.hear("Use the result?")
    #expect(view.contains("Itinerary") && view.contains("Day 2  Caves"), "\(view)")
    program.type("\(answer)\n")
    let (text, ended) = try await program.finish()
    #expect(ended == status)
    #expect(text.contains("Day 1\nArrive") == (status == 0), "\(text)")
  }

  @Test func `of widgets is drawn again and again until it is interrupted`() async throws {
    let host = try HostTool()
    let program = try host.atTerminal("today", "com.example.adventures.visits", "--watch", "--interval", "1")
    try await program.hear("Visit 1")
    try await program.hear("Visit 2")
    program.signal(SIGINT)
    let (text, status) = try await program.finish()
    #expect(status == 130, "\(text)")
    #expect(text.contains("\u{1b}[H") && text.contains("?: keys, q: end."))
  }
}
