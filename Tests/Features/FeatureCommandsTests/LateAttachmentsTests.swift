import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionProtocol
import Testing

@testable import FeatureCommands

/// The attachments that an extension returned without their values.
@Suite(.timeLimit(.minutes(1)))
struct `Attachments whose values come late` {
  private let input: SharedInput

  init() throws {
    let stage = try FeatureStage(
      [.text, .url, .title, .value("page", "FILE", "The results of a page"), .returned],
      arguments: [CommandArgument("FILE", "Files", .any)])
    input = try SharedInput(try stage.invocation("--text", "given"))
  }

  private static func late(_ id: String, types: [String] = ["public.text"]) -> ItemProvider {
    ItemProvider(itemID: id, registeredTypeIdentifiers: types)
  }

  private static func items(_ attachments: ItemProvider...) -> [ExtensionItem] {
    [ExtensionItem(attachments: attachments)]
  }

  @Test func `are asked for once by each name, and not where the value is there`() async throws {
    var late = LateAttachments(of: input)
    var asked: [[UInt8]] = []
    // Two spellings of one accent are two names.
    let items = Self.items(
      Self.late("\u{e9}"), Self.late("e\u{301}"), Self.late("\u{e9}"), Self.late("a1"), .text("own", itemID: "x"))
    for _ in 0..<2 {
      let found = try await late.fetch(for: items, holding: nil) { attachment, _ in
        asked.append(Array(attachment.itemID.utf8))
        return Array("\(asked.count)".utf8)
      }
      #expect(found[0].attachments.map { $0.inline?.value } == ["1", "2", "1", "given", "own"])
      #expect(found[0].attachments.map(\.estimatedSize) == [1, 1, 1, 5, 3])
    }
    #expect(asked == [Array("\u{e9}".utf8), Array("e\u{301}".utf8)] && late.warnings == [])
    let second = try late.value(of: Self.late("e\u{301}"))
    let own = try late.value(of: .text("own", itemID: "x"))
    #expect(second == Array("2".utf8) && own == nil)
  }

  @Test func `travel on with their item while they are small`() async throws {
    var late = LateAttachments(of: input)
    let items = Self.items(Self.late("small", types: []), Self.late("large"))
    let found = try await late.fetch(for: items, holding: nil) { attachment, _ in
      [UInt8](repeating: 0x61, count: ItemProvider.inlineLimit - (attachment.itemID == "small" ? 1 : 0))
    }
    let (small, large) = (found[0].attachments[0], found[0].attachments[1])
    #expect(small.inline?.type == "public.data" && small.inline?.value.utf8.count == ItemProvider.inlineLimit - 1)
    #expect(large.inline == nil && large.estimatedSize == ItemProvider.inlineLimit)
    let value = try late.value(of: large)
    #expect(value?.count == ItemProvider.inlineLimit)
  }

  @Test func `have together what one input may have`() async throws {
    var late = LateAttachments(of: input)
    var limits: [Int] = []
    let items = Self.items(Self.late("a"), Self.late("b"), Self.late("c"))
    _ = try await late.fetch(for: items, holding: nil) { attachment, limit throws(ExtensionError) in
      limits.append(limit)
      if attachment.itemID == "b" { throw ExtensionError(.limitExceeded, "Too large.") }
      return [1, 2, 3]
    }
    #expect(limits == [SharedInput.limit, SharedInput.limit - 3, SharedInput.limit - 3])
    #expect(late.warnings == ["There is no value of b: Too large."])
    let kept = late
    let error = #expect(throws: ExtensionError.self) { try kept.value(of: Self.late("b")) }
    #expect(error?.code == .limitExceeded)
  }

  @Test(
    arguments: [(.peerExited, 1), (.deadlineExceeded, 1), (.handlerFailed, 3), (.cancelled, 3)]
      as [(ExtensionError.Code, Int)])
  func `are asked for no more of one who has ended, or keeps the host waiting`(
    code: ExtensionError.Code, count: Int
  ) async throws {
    var late = LateAttachments(of: input)
    var asked = 0
    for items in [Self.items(Self.late("b"), Self.late("a")), Self.items(Self.late("c"))] {
      let found = try await late.fetch(for: items, holding: nil) { _, _ throws(ExtensionError) in
        asked += 1
        throw ExtensionError(code, "Lost.")
      }
      #expect(found == items)
    }
    #expect(asked == count)
    #expect(late.warnings == ["a", "b", "c"].map { "There is no value of \($0): Lost." })
  }

  @Test func `have no warning once the value has come after all`() async throws {
    var late = LateAttachments(of: input)
    var asked = 0
    let items = Self.items(Self.late("a"), Self.late("a"))
    let found = try await late.fetch(for: items, holding: nil) { _, _ throws(ExtensionError) in
      asked += 1
      if asked == 1 { throw ExtensionError(.handlerFailed, "Not yet.") }
      return [0x61]
    }
    #expect(found[0].attachments.map { $0.inline?.value } == [nil, "a"] && late.warnings == [])
    let value = try late.value(of: Self.late("a"))
    #expect(value == [0x61])
  }
}
