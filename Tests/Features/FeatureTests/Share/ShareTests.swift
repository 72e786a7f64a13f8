import JSON
import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A Share extension` {
  static let identity = Caller.Identity.testing(point: .share)
  let requests = RequestService()
  var host: TestHost { TestHost(services: [requests]) }
  let items = [ExtensionItem(title: "Caves", attachments: [.url("https://example.com"), .text("deep")])]

  private func share(
    text: String = "See you there", _ post: @escaping ShareProbe.Post
  ) async throws -> RequestService.Outcome {
    try await ShareProbe.$posting.withValue(post) {
      try await host.withExtension(ShareProbe.self, identity: Self.identity) {
        try await $0.share(items, contentText: text, requests: requests)
      }
    }
  }

  @Test func `gets the text and the items, and completes with the items it returns`() async throws {
    let seen = Kept<SharePost>()
    let returned = [ExtensionItem(contentText: "posted")]
    let outcome = try await share { post, _ in
      seen.keep(post)
      return returned
    }
    #expect(outcome == .completed(returned))
    #expect(seen.value?.contentText == "See you there")
    #expect(seen.value?.items == items)
  }

  private static let failures: [(any Error, Request.Cancel.Failure)] = [
    (CancellationError(), .userCancelled),
    (
      Request.Cancel.Failure(domain: "com.example", code: 7, userInfo: ["why": "rain"]),
      Request.Cancel.Failure(domain: "com.example", code: 7, userInfo: ["why": "rain"])
    ),
    (
      ExtensionError(.contentFailed, "No signal."),
      Request.Cancel.Failure(domain: "ExtensionErrorDomain", code: -32034, localizedDescription: "No signal.")
    ),
  ]

  @Test(arguments: failures.indices)
  func `cancels with what it throws`(index: Int) async throws {
    let (thrown, failure) = Self.failures[index]
    #expect(try await share { _, _ in throw thrown } == .cancelled(failure))
  }

  @Test func `is not asked to post a text that it refuses`() async throws {
    let posted = Kept<Bool>()
    let refuse: ShareProbe.Validate = { .init(isValid: false, charactersRemaining: 5 - $0.contentText.count) }
    let caught = await #expect(throws: ExtensionError.self) {
      try await ShareProbe.$validation.withValue(refuse) {
        try await share(text: "too long") { _, _ in
          posted.keep(true)
          return []
        }
      }
    }
    #expect(caught?.code == .contentInvalid)
    #expect(caught?.message.contains("3 characters too long") == true)
    #expect(posted.value == nil)
  }

  @Test func `without a validation of its own takes every text`() async throws {
    struct Plain: AppExtension {
      var handlers: [SessionHandler] { ShareProbe().handlers.filter { $0.method != Share.ValidateContent.method } }
    }
    let outcome = try await host.withExtension(Plain.self, identity: Self.identity) {
      try await $0.share(items, contentText: "", requests: requests)
    }
    #expect(outcome == .completed([]))
  }

  @Test func `that ends its request twice is refused the second time`() async throws {
    let (refusals, continuation) = AsyncStream.makeStream(of: [ExtensionError.Code?].self)
    let post: ShareProbe.Post = { _, context in
      let complete = Request.Complete(requestID: context.requestID, returningItems: nil)
      _ = try await context.call(complete)
      var caught: [ExtensionError.Code?] = []
      do throws(ExtensionError) { _ = try await context.call(complete) } catch { caught.append(error.code) }
      do throws(ExtensionError) {
        _ = try await context.call(Request.Cancel(requestID: context.requestID, error: .userCancelled))
      } catch {
        caught.append(error.code)
      }
      continuation.yield(caught)
      return [ExtensionItem(title: "too late")]
    }
    try await ShareProbe.$posting.withValue(post) {
      try await host.withExtension(ShareProbe.self, identity: Self.identity) { process in
        let outcome = try await process.share(items, contentText: "", requests: requests)
        #expect(outcome == .completed([]))
        // The process stays until it has tried: afterwards it could only hear that the host is gone.
        let codes = await refusals.first { _ in true }
        #expect(codes == [.alreadyCompleted, .alreadyCompleted])
      }
    }
  }

  @Test func `cannot end a request that is not its own`() async throws {
    let caught = await #expect(throws: ExtensionError.self) {
      try await TestHost(services: [requests]).inWidget(requests: requests) { owner in
        // Another process, which has guessed the identifier of a request that is open.
        try await TestHost(services: [requests]).inWidget {
          _ = try await $0.call(Request.Complete(requestID: owner.requestID, returningItems: nil))
        }
      }
    }
    #expect(caught?.code == .requestUnknown)
  }

  @Test func `that goes away before the end is not waited for`() async throws {
    let caught = await #expect(throws: ExtensionError.self) {
      try await share { _, context in
        await context.session.connection.close(.finished)
        await waitForever()
        return []
      }
    }
    #expect(caught?.code == .peerExited)
  }

  /// A post that ends only when it is cancelled, and then says whether it was.
  private static func endlessPost() -> (ShareProbe.Post, ended: AsyncStream<Bool>) {
    let (ended, continuation) = AsyncStream.makeStream(of: Bool.self)
    let post: ShareProbe.Post = { _, _ in
      await waitForever()
      continuation.yield(Task.isCancelled)
      return []
    }
    return (post, ended)
  }

  @Test func `whose request is withdrawn is cancelled, sends nothing, and lives on`() async throws {
    let (post, ended) = Self.endlessPost()
    try await ShareProbe.$posting.withValue(post) {
      try await host.withExtension(ShareProbe.self, identity: Self.identity) { process in
        _ = try await process.call(Request.Begin(requestID: "w", point: .share, inputItems: items))
        _ = try await process.call(Share.DidSelectPost(requestID: "w", contentText: ""))
        await process.notify(Request.Withdraw(requestID: "w"))
        let wasCancelled = await ended.first { _ in true }
        #expect(wasCancelled == true)
        let caught = await #expect(throws: ExtensionError.self) {
          _ = try await process.call(Share.DidSelectPost(requestID: "w", contentText: ""))
        }
        #expect(caught?.code == .requestUnknown)
        // The same identifier may be used again: the request that had it is over.
        _ = try await process.call(Request.Begin(requestID: "w", point: .share, inputItems: []))
      }
    }
  }

  @Test func `is told that a request which took too long is withdrawn`() async throws {
    let (post, ended) = Self.endlessPost()
    try await ShareProbe.$posting.withValue(post) {
      try await host.withExtension(ShareProbe.self, identity: Self.identity) { process in
        let caught = await #expect(throws: ExtensionError.self) {
          try await process.share(items, contentText: "", requests: requests, deadline: .milliseconds(300))
        }
        #expect(caught?.code == .deadlineExceeded)
        let wasCancelled = await ended.first { _ in true }
        #expect(wasCancelled == true)
      }
    }
  }
}
