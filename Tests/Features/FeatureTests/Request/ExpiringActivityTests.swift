import JSON
import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Work after a request` {
  static let identity = Caller.Identity.testing(point: .share)

  private func share(_ requests: RequestService, _ post: @escaping ShareProbe.Post) async throws
    -> RequestService.Outcome
  {
    try await ShareProbe.$posting.withValue(post) {
      try await TestHost(services: [requests]).withExtension(ShareProbe.self, identity: Self.identity) {
        try await $0.share([], contentText: "", requests: requests)
      }
    }
  }

  @Test func `is done after the items were delivered, and waited for`() async throws {
    let requests = RequestService()
    let done = Kept<Bool>()
    let outcome = try await share(requests) { _, context in
      context.afterCompletion {
        let late = Request.Complete(requestID: context.requestID, returningItems: nil)
        do throws(ExtensionError) { _ = try await context.call(late) } catch {
          done.keep(error.code == .alreadyCompleted)
        }
      }
      return [ExtensionItem(title: "delivered")]
    }
    #expect(outcome == .completed([ExtensionItem(title: "delivered")]))
    #expect(done.value == true)
  }

  @Test func `is told that its time is over, and not waited for any longer`() async throws {
    let requests = RequestService(grace: .milliseconds(30))
    let (ended, continuation) = AsyncStream.makeStream(of: Bool.self)
    let outcome = try await share(requests) { _, context in
      context.afterCompletion {
        await waitForever()
        continuation.yield(Task.isCancelled)
      }
      return []
    }
    #expect(outcome == .completed([]))
    #expect(await ended.first { _ in true } == true)
  }

  @Test func `may be an activity of its own`() async throws {
    let requests = RequestService()
    let done = Kept<Bool>()
    let outcome = try await share(requests) { _, context in
      try await context.performExpiringActivity(reason: "Saving") { done.keep(true) }
      return []
    }
    #expect(outcome == .completed([]))
    #expect(done.value == true)
  }

  @Test func `that is never ended costs the host its grace only`() async throws {
    let requests = RequestService(grace: .milliseconds(20))
    let outcome = try await share(requests) { _, context in
      _ = try await context.call(Request.BeginExpiringActivity(reason: "Forgotten"))
      return []
    }
    #expect(outcome == .completed([]))
  }

  @Test func `is bounded, and ended once`() async throws {
    let requests = RequestService(grace: .milliseconds(20))
    let codes = Kept<[ExtensionError.Code]>()
    _ = try await share(requests) { _, context in
      var caught: [ExtensionError.Code] = []
      let token = try await context.call(Request.BeginExpiringActivity(reason: "one")).token
      for _ in 0..<2 {
        do throws(ExtensionError) { _ = try await context.call(Request.EndExpiringActivity(token: token)) } catch {
          caught.append(error.code)
        }
      }
      for _ in 0..<17 {
        do throws(ExtensionError) { _ = try await context.call(Request.BeginExpiringActivity(reason: "many")) } catch {
          caught.append(error.code)
        }
      }
      codes.keep(caught)
      return []
    }
    #expect(codes.value == [.invalidParams, .limitExceeded])
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `An interruption` {
  private static let codes: [(ExtensionError.Code, Int64)] = [
    (.peerExited, 4097), (.launchFailed, 4099), (.sandboxUnavailable, 4099),
  ]

  @Test(arguments: codes) func `has the code that host apps know`(code: ExtensionError.Code, number: Int64) {
    let error = ExtensionError(code, "Gone.").asInterruption
    #expect(error.details["domain"] == "NSCocoaErrorDomain")
    #expect(error.details["code"] == .integer(number))
  }

  @Test func `is none of any other error`() {
    #expect(ExtensionError(.handlerFailed, "No.").asInterruption.details.isEmpty)
  }

  @Test func `reaches the host app`() async throws {
    let requests = RequestService()
    let post: ShareProbe.Post = { _, context in
      await context.session.connection.close(.finished)
      await waitForever()
      return []
    }
    let caught = await #expect(throws: ExtensionError.self) {
      try await ShareProbe.$posting.withValue(post) {
        try await TestHost(services: [requests]).withExtension(ShareProbe.self, identity: .testing(point: .share)) {
          _ = try await $0.share([], contentText: "", requests: requests)
        }
      }
    }
    #expect(caught?.details["code"] == 4097)
  }

  @Test func `of a request that is ended twice is logged`() async throws {
    let log = KeptLog()
    let requests = RequestService(log: log)
    let (tried, continuation) = AsyncStream.makeStream(of: Void.self)
    let post: ShareProbe.Post = { _, context in
      for _ in 0..<2 {
        _ = try? await context.call(Request.Complete(requestID: context.requestID, returningItems: nil))
      }
      continuation.finish()
      return []
    }
    try await ShareProbe.$posting.withValue(post) {
      try await TestHost(services: [requests]).withExtension(ShareProbe.self, identity: .testing(point: .share)) {
        _ = try await $0.share([], contentText: "", requests: requests)
        for await _ in tried {}
      }
    }
    #expect(log.lines.contains { $0.metadata["why"] == "alreadyCompleted" && $0.level == .warning })
  }
}
