import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The machine of a compose sheet` {
  private static let valid = Share.ContentState(isValid: true, charactersRemaining: 5)
  private static let invalid = Share.ContentState(isValid: false, charactersRemaining: -1)

  /// Events in order, each with the actions that it has to cause.
  struct Course: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var steps: [(event: ComposeStateMachine.Event, actions: [ComposeStateMachine.Action])]
    var phase: ComposeStateMachine.Phase
  }

  private static let courses = [
    Course(
      testDescription: "a text is validated, then posted",
      steps: [
        (.textChanged("a"), [.validate("a")]), (.validated("a", valid), []), (.selectPost, [.post("a")]),
      ], phase: .posting),
    Course(
      testDescription: "a text that was never validated is validated first",
      steps: [(.selectPost, [.validate("")]), (.validated("", valid), [.post("")])], phase: .posting),
    Course(
      testDescription: "an invalid text is not posted, and the sheet stays",
      steps: [
        (.textChanged("a"), [.validate("a")]), (.validated("a", invalid), []), (.selectPost, [.refuse(invalid)]),
        (.textChanged("b"), [.validate("b")]), (.validated("b", valid), []), (.selectPost, [.post("b")]),
      ], phase: .posting),
    Course(
      testDescription: "what was said of an older text does not count",
      steps: [
        (.textChanged("a"), [.validate("a")]), (.textChanged("b"), [.validate("b")]), (.validated("a", valid), []),
        (.selectPost, [.validate("b")]), (.validated("b", invalid), [.refuse(invalid)]),
      ], phase: .composing),
    Course(
      testDescription: "what was said of another spelling does not count",
      steps: [
        (.textChanged("\u{E9}"), [.validate("\u{E9}")]), (.textChanged("e\u{301}"), [.validate("e\u{301}")]),
        (.selectPost, [.validate("e\u{301}")]), (.validated("\u{E9}", valid), []),
        (.validated("e\u{301}", invalid), [.refuse(invalid)]),
      ], phase: .composing),
    Course(
      testDescription: "a change takes back the wish to post",
      steps: [
        (.selectPost, [.validate("")]), (.textChanged("b"), [.validate("b")]), (.validated("b", valid), []),
      ], phase: .composing),
    Course(
      testDescription: "the extension may change its mind without a change of the text",
      steps: [
        (.textChanged("a"), [.validate("a")]), (.validated("a", valid), []), (.stateSet(invalid), []),
        (.selectPost, [.refuse(invalid)]), (.stateSet(valid), []), (.selectPost, [.post("a")]),
      ], phase: .posting),
    Course(
      testDescription: "there is one end: after posting",
      steps: [
        (.stateSet(valid), []), (.selectPost, [.post("")]), (.selectPost, []), (.selectCancel, []),
        (.textChanged("x"), []),
      ], phase: .posting),
    Course(
      testDescription: "there is one end: after cancelling",
      steps: [(.selectCancel, [.cancel]), (.selectCancel, []), (.selectPost, []), (.stateSet(valid), [])],
      phase: .cancelling),
    Course(
      testDescription: "nothing happens after the end of the request",
      steps: [(.ended, []), (.textChanged("a"), []), (.selectPost, []), (.selectCancel, [])], phase: .ended),
  ]

  @Test(arguments: courses) func `follows its course`(course: Course) {
    var machine = ComposeStateMachine()
    for (index, step) in course.steps.enumerated() {
      #expect(machine.event(step.event) == step.actions, "step \(index + 1)")
    }
    #expect(machine.phase == course.phase)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A compose sheet` {
  static let identity = Caller.Identity.testing(point: .share)
  let requests = RequestService()
  let service = ShareService()
  let items = [ExtensionItem(title: "Caves", attachments: [.url("https://example.com")])]

  private func compose<Value: Sendable>(
    validate: @escaping ShareProbe.Validate = { _ in Share.ContentState(isValid: true) },
    configuration: [Share.ConfigurationItem] = [], post: @escaping ShareProbe.Post = { _, _ in [] },
    terms: RequestService.Terms = RequestService.Terms(), _ body: (ShareSheet) async throws -> Value
  ) async throws -> Value {
    try await ShareProbe.$validation.withValue(validate) {
      try await ShareProbe.$configuration.withValue(configuration) {
        try await ShareProbe.$posting.withValue(post) {
          try await TestHost(services: [requests, service]).withExtension(ShareProbe.self, identity: Self.identity) {
            try await $0.compose(items, requests: requests, service: service, terms: terms, body)
          }
        }
      }
    }
  }

  @Test func `begins with what the extension says`() async throws {
    let presentation = try await compose { try await $0.presentation() }
    #expect(presentation == Share.Presentation.Result(placeholder: "Say something", preview: "Caves"))
  }

  @Test func `asks after every change, and posts the last text`() async throws {
    let limit: ShareProbe.Validate = { post in
      Share.ContentState(isValid: post.contentText.count <= 5, charactersRemaining: 5 - post.contentText.count)
    }
    let posted = Kept<String>()
    let post: ShareProbe.Post = { post, _ in
      posted.keep(post.contentText)
      return []
    }
    let outcome = try await compose(validate: limit, post: post) { sheet in
      #expect(try await sheet.setText("abcdef") == Share.ContentState(isValid: false, charactersRemaining: -1))
      await #expect(throws: ExtensionError(.contentInvalid, "")) { _ = try await sheet.post() }
      #expect(posted.value == nil)
      #expect(try await sheet.setText("abc") == Share.ContentState(isValid: true, charactersRemaining: 2))
      return try await sheet.post()
    }
    #expect(outcome == .completed([]))
    #expect(posted.value == "abc")
  }

  @Test func `knows how a text could go on`() async throws {
    let complete: @Sendable (SharePost) -> [Share.Completion] = { post in
      (0..<100).map { Share.Completion(title: "\($0)", contentText: "\(post.contentText)\($0)") }
    }
    let found = try await ShareProbe.$completing.withValue(complete) {
      try await compose { sheet in
        _ = try await sheet.setText("See @")
        return try await sheet.completions()
      }
    }
    #expect(found.count == ShareSheet.completionLimit)
    #expect(found.first == Share.Completion(title: "0", contentText: "See @0"))
  }

  @Test func `keeps what the user chooses, and checks it`() async throws {
    let list = Share.ConfigurationItem(id: "list", title: "List", value: "Ideas", choices: ["Ideas", "Booked"])
    let note = Share.ConfigurationItem(id: "note", title: "Note")
    let place = Share.ConfigurationItem(id: "place", title: "Place", valuePending: true)
    let posted = Kept<[String: String]>()
    let post: ShareProbe.Post = { post, _ in
      posted.keep(post.configuration)
      return []
    }
    _ = try await compose(configuration: [list, note, place], post: post) { sheet in
      #expect(try await sheet.configurationItems() == [list, note, place])
      #expect(try await sheet.select("list") == [list, note, place])
      let after = try await sheet.select("list", value: "Booked")
      #expect(after.map(\.value) == ["Booked", nil, nil])
      #expect(try await sheet.select("place", value: "Orsk").last?.valuePending == false)
      let caught = await #expect(throws: ExtensionError.self) { _ = try await sheet.select("list", value: "Never") }
      #expect(caught?.code == .invalidParams)
      #expect(caught?.recovery == "Choose one of: Ideas, Booked.")
      let unknown = await #expect(throws: ExtensionError.self) { _ = try await sheet.select("none", value: "x") }
      #expect(unknown?.code == .invalidParams)
      return try await sheet.post()
    }
    #expect(posted.value == ["list": "Booked", "place": "Orsk"])
  }

  @Test func `is cancelled by the user, once`() async throws {
    let outcome = try await compose { sheet in
      let outcome = try await sheet.cancel()
      await #expect(throws: ExtensionError(.alreadyCompleted, "")) { _ = try await sheet.cancel() }
      await #expect(throws: ExtensionError(.alreadyCompleted, "")) { _ = try await sheet.post() }
      return outcome
    }
    #expect(outcome == .cancelled(.userCancelled))
  }

  @Test func `of an extension that serves nothing but the post is a plain one`() async throws {
    struct Plain: AppExtension {
      var handlers: [SessionHandler] {
        let served = [Share.DidSelectPost.method, Request.Begin.method]
        return ShareProbe().handlers.filter { served.contains($0.method) }
      }
    }
    let host = TestHost(services: [requests])
    let outcomes = try await host.withExtension(Plain.self, identity: Self.identity) { process in
      let posted = try await process.compose(items, requests: requests) { sheet in
        #expect(try await sheet.presentation() == Share.Presentation.Result())
        #expect(try await sheet.configurationItems().isEmpty)
        #expect(try await sheet.completions().isEmpty)
        #expect(try await sheet.setText("x") == Share.ContentState(isValid: true))
        return try await sheet.post()
      }
      return [posted, try await process.compose(items, requests: requests) { try await $0.cancel() }]
    }
    #expect(outcomes == [.completed([]), .cancelled(.userCancelled)])
  }

  @Test func `hears of another state of the content only while it is open`() async throws {
    let refused = Kept<ExtensionError.Code>()
    let (done, continuation) = AsyncStream.makeStream(of: Void.self)
    let post: ShareProbe.Post = { _, context in
      try await context.setContentState(Share.ContentState(isValid: false))
      do throws(ExtensionError) {
        let other = Share.SetContentState(requestID: "other", state: Share.ContentState(isValid: true))
        _ = try await context.call(other)
      } catch {
        refused.keep(error.code)
      }
      continuation.finish()
      return []
    }
    let state = try await compose(post: post) { sheet in
      _ = try await sheet.setText("x")
      _ = try await sheet.post()
      for await _ in done {}
      return sheet.contentState
    }
    #expect(state == Share.ContentState(isValid: true))
    #expect(refused.value == .requestUnknown)
  }

  @Test func `tells the extension of its host`() async throws {
    let size = WidgetSize(width: 100, height: 30)
    let terms = RequestService.Terms(
      host: Request.HostApp(bundleID: "com.example.notes", acceptableTypes: ["public.text"]),
      presentation: Request.Presentation(interactive: true, size: size))
    let seen = Kept<(Request.HostApp?, Request.Presentation?)>()
    let (states, continuation) = AsyncStream.makeStream(of: Request.HostStateDidChange.State.self)
    let post: ShareProbe.Post = { _, context in
      seen.keep((context.hostApp, context.presentation))
      return []
    }
    let hear: @Sendable (Request.HostStateDidChange.State) -> Void = { continuation.yield($0) }
    _ = try await ShareProbe.$hostState.withValue(hear) {
      try await compose(post: post, terms: terms) { sheet in
        for state in Request.HostStateDidChange.State.allCases {
          await sheet.hostStateDidChange(to: state)
          let heard = await states.first { _ in true }
          #expect(heard == state)
        }
        return try await sheet.post()
      }
    }
    #expect(seen.value?.0 == terms.host)
    #expect(seen.value?.1 == terms.presentation)
  }
}
