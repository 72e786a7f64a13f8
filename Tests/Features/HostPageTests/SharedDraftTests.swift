import ExtensionHosting
import ExtensionProtocol
import HostServices
import Testing

@testable import HostPage

@Suite(.timeLimit(.minutes(1)))
struct `What somebody hands over on the page` {
  private let types = ExtensionRegistry(RegistrySources()).types

  private func draft(
    text: String = "", url: String = "", files: [MultipartForm.File] = []
  ) throws -> SharedDraft {
    try SharedDraft(text: text, url: url, files: files, types: types)
  }

  @Test func `is a text, an address and files, in this order`() throws {
    let draft = try draft(
      text: "ü", url: "https://example.com",
      files: [.init(name: "a.png", bytes: [1]), .init(name: "b", bytes: [0]), .init(name: "c.nothing", bytes: [0x61])])
    #expect(draft.item.attributedContentText == "ü")
    #expect(draft.item.attachments.map(\.itemID) == ["a1", "a2", "a3", "a4", "a5"])
    #expect(
      draft.item.attachments.map { $0.registeredTypeIdentifiers.first } == [
        "public.utf8-plain-text", "public.url", "public.png", "public.data", "public.utf8-plain-text",
      ])
    #expect(draft.size == 5 && draft.bytes["a1"] == [0xC3, 0xBC] && draft.bytes["a2"] == nil)
    #expect(draft.bytes["a3"] == [1] && draft.sources.keys.sorted() == ["a1", "a3", "a4", "a5"])
    #expect(draft.item.attachments.map(\.suggestedName) == [nil, nil, "a.png", "b", "c.nothing"])
  }

  @Test func `is something, and its address one of the web`() throws {
    #expect(throws: ExtensionError(.invalidParams, "")) { try draft() }
    for url in ["file:///etc", "FILE:///etc", "example.com", "://x"] {
      #expect(throws: ExtensionError(.invalidParams, ""), "\(url)") { try draft(text: "a", url: url) }
    }
    #expect(try draft(url: "x-notes:1").item.attributedContentText == nil)
    #expect(try draft(files: [.init(name: "a", bytes: [])]).size == 0)
  }

  @Test func `travels in the message below 64 KiB, and as a file from there on`() throws {
    let limit = 64 << 10
    for (count, isInline) in [(limit - 1, true), (limit, false)] {
      let draft = try draft(files: [.init(name: "a", bytes: [UInt8](repeating: 0x61, count: count))])
      #expect((draft.item.attachments[0].inline != nil) == isInline)
      #expect(draft.item.attachments[0].estimatedSize == count && draft.bytes["a1"]?.count == count)
    }
  }

  @Test func `is kept with its results until eight others came`() throws {
    let drafts = SharedDrafts()
    let keys = try (0..<8).map { drafts.add(try draft(text: "\($0)")) }
    #expect(keys.allSatisfy { drafts.draft($0) != nil } && drafts.draft("") == nil)
    let result = SharedDrafts.Result(name: "r", bytes: [1], text: nil)
    let run = drafts.keep([result], of: keys[0])
    drafts.keep([result], of: "none")
    #expect(drafts.result(0, of: keys[0], run: run)?.name == "r" && drafts.result(0, of: keys[1], run: run) == nil)
    #expect(drafts.result(1, of: keys[0], run: run) == nil && drafts.result(-1, of: keys[0], run: run) == nil)
    let next = drafts.keep([], of: keys[0])
    #expect(drafts.result(0, of: keys[0], run: next) == nil, "what came before is not what this run made")
    let last = drafts.keep([SharedDrafts.Result(name: "of another page", bytes: [], text: nil)], of: keys[0])
    #expect(drafts.result(0, of: keys[0], run: run) == nil && drafts.result(0, of: keys[0], run: last) != nil)
    _ = drafts.add(try draft(text: "8"))
    #expect(drafts.draft(keys[0]) == nil && drafts.draft(keys[1])?.item.attributedContentText == "1")
  }

  @Test func `is forgotten, the oldest first, when all of it has more than 128 MiB`() throws {
    // One piece of memory that all of the results share.
    let mebibyte = [UInt8](repeating: 0, count: 1 << 20)
    func results(lacking few: Int) -> [SharedDrafts.Result] {
      (0..<128).map { index in
        SharedDrafts.Result(name: "", bytes: index == 0 ? Array(mebibyte.dropLast(few)) : mebibyte, text: nil)
      }
    }
    let drafts = SharedDrafts()
    let (first, second) = (drafts.add(try draft(text: "a")), drafts.add(try draft(text: "b")))
    drafts.keep(results(lacking: 2), of: second)
    #expect(drafts.draft(first) != nil && drafts.draft(second) != nil)
    drafts.keep(results(lacking: 1), of: second)
    #expect(drafts.draft(first) == nil && drafts.draft(second) != nil)
    drafts.keep(results(lacking: 0), of: second)
    #expect(drafts.draft(second) != nil, "the last one stays")
    let third = drafts.add(try draft(text: "c"))
    #expect(drafts.draft(second) == nil && drafts.draft(third) != nil)
  }
}
