import ExtensionProtocol
import HTML
import HostServices
import Testing

@testable import ExtensionHosting
@testable import HostPage

@Suite(.timeLimit(.minutes(1)))
struct `The page of decisions` {
  private let stage: PageStage
  private var page: DecisionsPage { DecisionsPage(host: stage.host, questions: PageQuestions()) }
  private var state: PermissionState {
    stage.host.configuration.permissions.state(
      of: AskedPermission("network", scope: ["api.example.com"]), for: PageStage.widget)
  }

  init() throws { stage = try PageStage(annex: PageStage.network) }

  private func act(_ word: String, scope: String? = "api.example.com") async throws -> String {
    var form = ["do": word, "id": PageStage.widget, "permission": "network"]
    form["scope"] = scope
    return try await page.act(.testing(form: form)).words
  }

  /// The buttons of the page, in order.
  private func buttons() throws -> [String] {
    try page.content(.testing()).text.matches(of: /aria-label="([^"]*): network for Clock"/).map { String($0.output.1) }
  }

  @Test func `offers what is not so yet, and takes it back`() async throws {
    #expect(try buttons() == ["Allow", "Refuse"])
    #expect(try page.content(.testing()).text.contains("<span class=\"tag warn\">undecided</span>"))
    #expect(try await act("grant") == "Clock, network: granted.")
    #expect(state == .granted)
    #expect(try buttons() == ["Revoke", "Ask again"])
    #expect(try page.content(.testing()).text.contains("<span class=\"tag good\">granted</span>"))
    #expect(try await act("deny") == "Clock, network: denied.")
    #expect(state == .denied)
    #expect(try buttons() == ["Allow", "Ask again"])
    #expect(try page.content(.testing()).text.contains("<span class=\"tag bad\">denied</span>"))
    #expect(try await act("reset") == "Clock, network: undecided.")
    #expect(state == .undecided)
    #expect(try buttons() == ["Allow", "Refuse"])
  }

  @Test func `grants what the user has seen, and nothing else`() async throws {
    for scope in ["other.example", "", nil, "api.example.com\nother.example"] {
      await #expect(throws: ExtensionError(.invalidParams, ""), "\(scope ?? "none")") {
        try await act("grant", scope: scope)
      }
      #expect(state == .undecided)
    }
    // To refuse, it is enough to have seen the name.
    #expect(try await act("deny", scope: nil) == "Clock, network: denied.")
    #expect(try await act("reset", scope: "other.example") == "Clock, network: undecided.")
  }

  @Test func `knows no other form`() async throws {
    for form in [
      ["do": "grant", "permission": "network", "scope": "api.example.com"],
      ["do": "grant", "id": PageStage.widget, "scope": "api.example.com"],
      ["do": "grant", "id": PageStage.widget, "permission": "auth", "scope": ""],
      ["do": "grant", "id": "org.example.none", "permission": "network", "scope": "api.example.com"],
      ["do": "allow", "id": PageStage.widget, "permission": "network", "scope": "api.example.com"],
      ["id": PageStage.widget, "permission": "network", "scope": "api.example.com"],
    ] {
      #expect(try await page.act(.testing(form: form)).words == "missing", "\(form)")
      #expect(state == .undecided)
    }
  }

  @Test func `lists who asks, with the parts, and nobody else`() throws {
    let html = try page.content(.testing()).text
    #expect(html.contains("data-key=\"asked-\(PageStage.widget)\"") && !html.contains("asked-\(PageStage.app)\""))
    #expect(html.contains("<ul class=\"scope\"><li><code><bdi>api.example.com</bdi></code></li></ul>"))
    #expect(!html.contains("ends with this host"))
    let silent = try PageStage()
    let none = try DecisionsPage(host: silent.host, questions: PageQuestions()).content(.testing()).text
    #expect(none == "<p class=\"nothing\">No extension asks for anything.</p>")
  }

  @Test func `knows the parts of a form whose lines end as browsers end them, in one order`() async throws {
    let several = try PageStage(
      annex: PageStage.network.replacing(
        "<string>api.example.com</string>", with: "<string>b.example.com</string><string>a.example.com</string>"))
    let page = DecisionsPage(host: several.host, questions: PageQuestions())
    var form = ["do": "grant", "id": PageStage.widget, "permission": "network"]
    form["scope"] = "b.example.com\r\na.example.com"
    await #expect(throws: ExtensionError(.invalidParams, "")) { try await page.act(.testing(form: form)).words }
    form["scope"] = "a.example.com\r\nb.example.com"
    #expect(try await page.act(.testing(form: form)).words == "Clock, network: granted.")
    // Its folder is there until now.
    withExtendedLifetime(several) {}
  }

  @Test func `counts the questions that wait`() async {
    let questions = PageQuestions(pause: .zero)
    let page = DecisionsPage(host: stage.host, questions: questions)
    let (changes, signal) = AsyncStream.makeStream(of: Void.self)
    questions.whenChanged { signal.yield() }
    #expect(page.count == 0 && page.topics == ["decisions", "extensions"])
    let asked = PermissionQuestion(
      caller: Caller.Identity(
        id: "a", version: nil, displayName: "A", point: .today, containingApp: "", groups: [], entitlements: []),
      permission: .network, scope: [], reason: "")
    async let answer = questions.ask(asked)
    for await _ in changes { break }
    #expect(page.count == 1)
    questions.end()
    #expect(await answer == .dismissed)
    #expect(page.count == 0)
  }
}
