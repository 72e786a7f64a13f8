import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Opening a URL` {
  let requests = RequestService()

  private func host(_ deliver: @escaping OpenURLService.Deliver) -> TestHost {
    let apps = ["test": "com.example.test", "other": "com.example.other"]
    return TestHost(services: [
      requests, OpenURLService(requests: requests, appForScheme: { apps[$0] }, deliver: deliver),
    ])
  }

  @Test func `hands it to the containing app, with who asked`() async throws {
    let delivered = Kept<(String, String, OpenURL.Deliver.Source)>()
    let host = host { url, app, source in
      delivered.keep((url, app, source))
      return OpenURL.Deliver.Result(handled: true)
    }
    #expect(try await host.inWidget(requests: requests) { await $0.open("TEST://caves?a=b#c") })
    let (url, app, source) = try #require(delivered.value)
    #expect(url == "TEST://caves?a=b#c")
    #expect(app == "com.example.test")
    #expect(source == .init(bundleID: "com.example.test.extension", point: .today))
  }

  @Test(arguments: [
    ("file:///etc/passwd", "malformed"), ("FILE:///etc/passwd", "malformed"), ("caves", "malformed"),
    ("", "malformed"), ("test:", "malformed"), (":caves", "malformed"), ("1test://a", "malformed"),
    ("test://a b", "malformed"), ("test://a\nb", "malformed"), ("te st://a", "malformed"),
    ("test://a\u{7F}", "malformed"), ("\u{212A}test://a", "malformed"), ("te\u{301}st://a", "malformed"),
    ("unknown://a", "schemeUnregistered"), ("https://example.com", "schemeUnregistered"),
    ("other://a", "notContainingApp"),
  ])
  func `is refused with a reason, and not as an error`(url: String, reason: String) async throws {
    let delivered = Kept<Bool>()
    let host = host { _, _, _ in
      delivered.keep(true)
      return OpenURL.Deliver.Result(handled: true)
    }
    let answer = try await host.inWidget(requests: requests) {
      try await $0.call(OpenURL.Open(requestID: $0.requestID, url: url))
    }
    #expect(answer == .init(success: false, reason: reason))
    #expect(delivered.value == nil)
  }

  @Test func `needs a request that is open`() async throws {
    let host = host { _, _, _ in OpenURL.Deliver.Result(handled: true) }
    let answer = try await host.inWidget(requests: requests) {
      try await $0.call(OpenURL.Open(requestID: "guessed", url: "test://a"))
    }
    #expect(answer == .init(success: false, reason: "requestUnknown"))
  }

  @Test func `happens once for each request`() async throws {
    let host = host { _, _, _ in OpenURL.Deliver.Result(handled: true) }
    try await host.withExtension(WidgetOpener.self) { process in
      for _ in 0..<2 {
        let result = try await process.performUpdate(requests: requests)
        #expect(result == .newData("true false rateLimited"))
      }
    }
  }

  /// Opens a URL twice and shows what came of it.
  private struct WidgetOpener: TodayExtension {
    func performUpdate(in context: ExtensionContext) async throws -> UpdateResult {
      let open = OpenURL.Open(requestID: context.requestID, url: "test://a")
      let (first, second) = (try await context.call(open), try await context.call(open))
      return .newData("\(first.success) \(second.success) \(second.reason ?? "")")
    }
  }

  @Test func `fails when the app cannot be started, and when it does not know the URL`() async throws {
    let broken = host { _, _, _ in throw ExtensionError(.launchFailed, "No.") }
    let open: @Sendable (ExtensionContext) async throws -> OpenURL.Open.Result = {
      try await $0.call(OpenURL.Open(requestID: $0.requestID, url: "test://a"))
    }
    #expect(
      try await broken.inWidget(requests: requests, open) == .init(success: false, reason: "launchFailed"))
    let strange = host { _, _, _ in OpenURL.Deliver.Result(handled: false) }
    #expect(try await strange.inWidget(requests: requests, open).success == false)
  }

  @Test func `has 30 s for the app's answer to an extension, and 11 minutes for the one to the user`() {
    #expect(OpenURL.Deliver.Source(bundleID: "com.example.w", point: .today).patience == .seconds(30))
    #expect(OpenURL.Deliver.Source().patience == .seconds(660))
  }

  @Test func `is not open to other points`() async throws {
    let host = host { _, _, _ in OpenURL.Deliver.Result(handled: true) }
    let caught = await #expect(throws: ExtensionError.self) {
      try await host.inWidget(as: .testing(point: .share), requests: requests) {
        _ = try await $0.call(OpenURL.Open(requestID: $0.requestID, url: "test://a"))
      }
    }
    #expect(caught?.code == .pointDisallows)
    #expect(
      try await host.inWidget(as: .testing(point: .share), requests: requests) { await $0.open("test://a") } == false)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A containing app` {
  private struct Opener: ContainingApp {
    static let bundleIdentifier = "com.example.test"

    func open(
      _ url: String, from source: OpenURL.Deliver.Source, in context: ExtensionContext
    ) async throws -> String? {
      url.hasPrefix("test://") ? "\(url) from \(source.bundleID ?? "the user")" : nil
    }
  }

  @Test(
    arguments: [
      ("test://a", "com.example.w", true, "test://a from com.example.w"),
      ("test://a", nil, true, "test://a from the user"),
      ("other://a", nil, false, nil),
    ] as [(String, String?, Bool, String?)])
  func `shows what it has for a URL`(url: String, source: String?, handled: Bool, shown: String?) async throws {
    let result = try await TestHost().withExtension(Opener.self, identity: .testing(point: .containingApp)) {
      try await $0.call(OpenURL.Deliver(url: url, source: .init(bundleID: source)))
    }
    #expect(result == .init(handled: handled, presentation: shown))
  }
}
