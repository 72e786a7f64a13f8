import ExtensionProtocol
import HTML
import Testing

@testable import HostPage

@Suite(.timeLimit(.minutes(1)))
struct `The page for sharing` {
  private let stage: PageStage
  private let page: SharePage

  /// A Share extension that takes texts alone.
  init() throws {
    let rule = "<key>NSExtensionActivationRule</key><dict><key>NSExtensionActivationSupportsText</key><true/></dict>"
    stage = try PageStage(point: "com.apple.share-services", attributes: rule)
    page = SharePage(host: stage.host)
  }

  private func match(_ form: [String: String]) async throws -> String {
    try await page.act(.testing(form: form.merging(["do": "match"]) { $1 })).words
  }

  private func key(_ html: String) throws -> String {
    String(try #require(html.firstMatch(of: /name="draft" value="([0-9a-f]{32})"/)).output.1)
  }

  @Test func `offers who takes it, with what is posted`() async throws {
    let html = try await match(["text": "a\r\nb"])
    #expect(html.contains("<h2>What you hand over</h2>") && html.contains(", 3 bytes</span></li>"))
    #expect(html.contains("<button class=\"primary\" id=\"run-\(PageStage.widget)\">Post</button>"))
    #expect(html.contains("name=\"post\" rows=\"3\">a\nb</textarea>"))
    #expect(html.contains("name=\"do\" value=\"run\"") && html.contains("name=\"id\" value=\"\(PageStage.widget)\""))
    #expect(!html.contains("No extension takes this.") && !html.contains("<h2>The others</h2>"))
    let other = try await match(["text": "a"])
    #expect(try key(html) != key(other))
  }

  @Test func `says who does not take it`() async throws {
    let html = try await match(["url": "https://example.com"])
    #expect(html.contains("<p class=\"nothing\">No extension takes this.</p>"))
    #expect(html.contains("<summary><bdi>Clock</bdi> does not take it</summary><ul><li>"))
    #expect(html.contains("<h2>The others</h2>") && !html.contains("class=\"card\""))
  }

  @Test func `gives a form back with what is wrong, and what was written`() async throws {
    let none = try await match([:])
    #expect(none.contains("<div class=\"failure\"><p><bdi>There is nothing to hand over.</bdi></p>"))
    let odd = try await match(["url": "example.com", "text": "<b>"])
    #expect(
      odd.contains("is not a web address.</bdi>") && odd.contains("placeholder=\"https://…\" value=\"example.com\">"))
    #expect(odd.contains("rows=\"5\">&lt;b&gt;</textarea>") && !odd.contains("What you hand over"))
    let fresh = page.content(.testing()).text
    #expect(!fresh.contains("class=\"failure\"") && fresh.contains("rows=\"5\"></textarea>"))
    #expect(fresh.contains("name=\"do\" value=\"match\""))
  }

  @Test func `hands over what is kept, to an extension that there is`() async throws {
    let draft = try key(try await match(["text": "a"]))
    for wrong in ["", String(draft.dropLast()), draft + "0"] {
      await #expect(throws: ExtensionError(.invalidParams, "")) {
        try await page.act(.testing(form: ["do": "run", "draft": wrong, "id": PageStage.widget])).words
      }
    }
    for id in [PageStage.app, "org.example.none", ""] {
      await #expect(throws: ExtensionError(.extensionUnknown, ""), "\(id)") {
        try await page.act(.testing(form: ["do": "run", "draft": draft, "id": id])).words
      }
    }
  }

  @Test func `saves nothing that did not come back`() async throws {
    let draft = try key(try await match(["text": "a"]))
    for form in [
      ["do": "save", "draft": draft, "result": "0"], ["do": "save", "draft": draft, "result": "x"],
      ["do": "save", "draft": draft], ["do": "save", "result": "0"], ["do": "other", "text": "a"], ["text": "a"],
    ] {
      #expect(try await page.act(.testing(form: form)).words == "missing", "\(form)")
    }
  }
}
