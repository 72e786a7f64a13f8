import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import Synchronization
import Testing

/// The values that an extension returns without making them, and makes when the host asks.
@Suite(.timeLimit(.minutes(1)))
struct `A value that is made when it is asked for` {
  private let requests = RequestService()

  /// Runs a closure while the request of an action is open that returned two attachments.
  private func withAttachments(
    _ load: @escaping @Sendable (String) async throws -> [UInt8],
    _ body: @escaping (ExtensionProcess, [ItemProvider], _ requestID: String) async throws -> Void
  ) async throws {
    let perform: ActionProbe.Perform = { _, context in
      let first = context.attachment(types: ["public.png", "public.PNG", "public.data"], load: load)
      let second = context.attachment(types: ["public.text"], suggestedName: "b.txt") { _ in Array("second".utf8) }
      return [ExtensionItem(attachments: [first, second])]
    }
    try await ActionProbe.$performing.withValue(perform) {
      let host = TestHost(services: [requests])
      try await host.withExtension(ActionProbe.self, identity: .testing(point: .action)) { process in
        let hasRun = Mutex(false)
        _ = try await process.perform(
          [], requests: requests,
          collect: { items, requestID in
            try await body(process, items.flatMap(\.attachments), requestID)
            hasRun.withLock { $0 = true }
            return items
          })
        #expect(hasRun.withLock { $0 })
      }
    }
  }

  @Test func `has a name of its own, and the types that it was given`() async throws {
    try await withAttachments {
      Array($0.utf8)
    } _: { process, attachments, requestID in
      #expect(attachments.map(\.itemID) == ["n1", "n2"])
      #expect(attachments.map(\.registeredTypeIdentifiers) == [["public.png", "public.data"], ["public.text"]])
      #expect(attachments.map(\.suggestedName) == [nil, "b.txt"])
      for _ in 0..<2 {
        let first = try await process.bytes(of: attachments[0], requestID: requestID, as: "public.data")
        let second = try await process.bytes(of: attachments[1], requestID: requestID)
        #expect(first == Array("public.data".utf8) && second == Array("second".utf8))
      }
      let unknown = Items.Provide(requestID: requestID, itemID: "n3", typeIdentifier: "public.data")
      let error = await refusal { _ = try await process.call(unknown) }
      #expect(error?.code == .framework && error?.details["code"] == .integer(-1000))
    }
  }

  @Test(arguments: [(-1, Items.Provide.Result.Kind.data), (0, .file), (1, .file)])
  func `is a file from a size on`(more: Int, kind: Items.Provide.Result.Kind) async throws {
    let bytes = [UInt8](repeating: 0xFF, count: ItemProvider.inlineLimit + more)
    try await withAttachments { _ in
      bytes
    } _: { process, attachments, requestID in
      let ask = Items.Provide(requestID: requestID, itemID: "n1", typeIdentifier: "public.png")
      let answer = try await process.call(ask)
      #expect(answer.kind == kind && answer.typeIdentifier == "public.png")
      #expect((answer.path == nil) == (kind == .data) && (answer.value == nil) == (kind == .file))
      // Again, in place of the file that is there.
      let found = try await process.bytes(of: attachments[0], requestID: requestID)
      #expect(found == bytes)
    }
  }

  @Test func `ends with what its maker throws`() async throws {
    try await withAttachments { _ in
      throw ExtensionError(.contentFailed, "No.")
    } _: { process, attachments, requestID in
      let error = await refusal { _ = try await process.bytes(of: attachments[0], requestID: requestID) }
      #expect(error?.code == .contentFailed)
    }
  }

  @Test func `has a file for each of its types`() async throws {
    try await withAttachments { type in
      [UInt8](repeating: type == "public.png" ? 1 : 2, count: ItemProvider.inlineLimit)
    } _: { process, _, requestID in
      var paths: [String] = []
      for type in ["public.png", "public.data", "public.png"] {
        let ask = Items.Provide(requestID: requestID, itemID: "n1", typeIdentifier: type)
        paths.append(try #require(try await process.call(ask).path))
      }
      let values = try paths.map { try process.take($0, limit: ItemProvider.inlineLimit).first }
      #expect(values == [1, 2, 1])
      #expect(paths[0] == paths[2], "files do not pile up")
    }
  }
}
