import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `An Action extension` {
  static let identity = Caller.Identity.testing(point: .action)
  let requests = RequestService()
  var host: TestHost { TestHost(services: [requests]) }

  private func perform(
    _ items: [ExtensionItem], _ body: @escaping ActionProbe.Perform
  ) async throws -> RequestService.Outcome {
    try await ActionProbe.$performing.withValue(body) {
      try await host.withExtension(ActionProbe.self, identity: Self.identity) {
        try await $0.perform(items, requests: requests)
      }
    }
  }

  @Test func `returns other items for those it is given`() async throws {
    let given = [ExtensionItem(attachments: [.text("quiet", itemID: "a"), .text("caves", itemID: "b")])]
    let outcome = try await perform(given) { items, context in
      var texts: [ItemProvider] = []
      for attachment in items.flatMap(\.attachments) {
        texts.append(.text(try await context.text(of: attachment).uppercased(), itemID: attachment.itemID))
      }
      return [ExtensionItem(attachments: texts)]
    }
    #expect(
      outcome == .completed([ExtensionItem(attachments: [.text("QUIET", itemID: "a"), .text("CAVES", itemID: "b")])]))
  }

  @Test func `cancels its request by throwing`() async throws {
    let outcome = try await perform([]) { _, _ in throw CancellationError() }
    #expect(outcome == .cancelled(.userCancelled))
  }

  @Test func `may complete by itself, once`() async throws {
    let (refusals, continuation) = AsyncStream.makeStream(of: ExtensionError.Code?.self)
    let body: ActionProbe.Perform = { _, context in
      let complete = Request.Complete(requestID: context.requestID, returningItems: [ExtensionItem(title: "first")])
      _ = try await context.call(complete)
      do throws(ExtensionError) {
        _ = try await context.call(complete)
        continuation.yield(nil)
      } catch {
        continuation.yield(error.code)
      }
      return [ExtensionItem(title: "third")]
    }
    try await ActionProbe.$performing.withValue(body) {
      try await host.withExtension(ActionProbe.self, identity: Self.identity) { process in
        let outcome = try await process.perform([], requests: requests)
        #expect(outcome == .completed([ExtensionItem(title: "first")]))
        // The process stays until it has tried: afterwards it could only hear that the host is gone.
        let code = await refusals.first { _ in true } ?? nil
        #expect(code == .alreadyCompleted)
      }
    }
  }

  @Test func `serves several requests of one process, one after the other`() async throws {
    try await host.withExtension(ActionProbe.self, identity: Self.identity) { process in
      for number in 1...3 {
        let items = [ExtensionItem(title: "\(number)")]
        let outcome = try await process.perform(items, requests: requests)
        #expect(outcome == .completed(items))
      }
    }
  }

  @Test func `does not act on a request that has not begun, and begins none twice`() async throws {
    try await host.withExtension(ActionProbe.self, identity: Self.identity) { process in
      let early = await #expect(throws: ExtensionError.self) {
        _ = try await process.call(Action.Perform(requestID: "x", inputItems: []))
      }
      #expect(early?.code == .requestUnknown)
      let begin = Request.Begin(requestID: "x", point: .action, inputItems: [])
      let answer = try await process.call(begin)
      #expect(answer.accepted)
      let twice = await #expect(throws: ExtensionError.self) { _ = try await process.call(begin) }
      #expect(twice?.code == .invalidParams)
    }
  }
}
