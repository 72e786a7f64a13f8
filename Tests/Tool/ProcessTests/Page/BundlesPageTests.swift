import Foundation
import JSON
import Testing

/// The page of bundles, with an index of a team beside it.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: Script.isAvailable))
struct `The page of bundles` {
  private static let defaults = "<key>Entitlements</key><array><string>defaults</string></array>"

  private func content(has text: String) -> String {
    "document.getElementById('content').innerText.includes(\(JSONValue.string(text)))"
  }

  private func note(has text: String) -> String {
    "document.getElementById('note').innerText.includes(\(JSONValue.string(text)))"
  }

  private func opened(_ host: HostTool) async throws -> (PageTool, Browser, Tab) {
    let page = try await PageTool(host, manifests: [PageTool.manifests(in: host.folder)])
    let browser = try Browser()
    let tab = try await browser.tab()
    try await page.enter(tab)
    try await page.go(to: "bundles", in: tab)
    return (page, browser, tab)
  }

  private func press(_ label: String, in tab: Tab) async throws {
    try await tab.until("document.querySelector('#content button[aria-label^=\"\(label): \"]')")
    try await tab.click("#content button[aria-label^='\(label): ']")
  }

  @Test func `updates after the question, says what was taken back, and removes`() async throws {
    let stage = try IndexStage()
    try stage.makeKeys()
    try await stage.publish([stage.bundle("1")])
    try await stage.withServer { url in
      #expect(try await stage.host("install", IndexStage.app, "--from", url, "--trust").status == 0)
      let (page, browser, tab) = try await opened(stage.host)
      try await tab.until(content(has: IndexStage.app))
      #expect(try await tab.value(content(has: "Example Inc. (")) == true)
      #expect(try await tab.value(content(has: url)) == true)
      try await press("Look for updates", in: tab)
      try await tab.until(note(has: "Nothing is newer."))
      try await stage.publish([stage.bundle("2", annex: Self.defaults)])
      try await press("Look for updates", in: tab)
      try await tab.until(note(has: "1 update."))
      try await tab.until(content(has: "It would newly be allowed:"))
      #expect(try await tab.value("document.querySelector('.scope code').innerText") == "defaults")
      #expect(try await tab.value("document.querySelector('nav a[aria-current] .badge').innerText") == "1")
      try await tab.picture("bundles")
      try await press("Update", in: tab)
      try await tab.until(content(has: "asks for more than was approved: defaults"))
      try await tab.click("#content a[href=bundles]")
      try await tab.until(content(has: "It would newly be allowed:"))
      #expect(try await stage.host("list", "-i", IndexStage.clock, "--json").stdout.contains("\"version\": \"1\""))
      try await press("Update", in: tab)
      try await press("Agree and install", in: tab)
      try await tab.until(note(has: "is installed in place of 1"))
      #expect(try await stage.host("list", "-i", IndexStage.clock, "--json").stdout.contains("\"version\": \"2\""))
      try await page.go(to: "bundles", in: tab)
      try await tab.until("document.querySelector('dl.facts').innerText.includes('2')")
      try await stage.publish(["--yank", "\(IndexStage.app)@2", "--reason", "It <b>lost</b> tides."])
      try await press("Look for updates", in: tab)
      try await tab.until(content(has: "It <b>lost</b> tides."))
      #expect(try await tab.value("document.querySelector('#content .tag').innerText") == "taken back")
      // Without scripts, in another tab of the browser.
      let plain = try await browser.tab(hasScripts: false)
      try await plain.open(try #require(try await tab.value("location.href").stringValue))
      try await press("Remove", in: plain)
      try await plain.until("document.querySelector('[data-key=confirmation]')")
      try await press("Remove", in: plain)
      try await plain.until(note(has: "is removed."))
      try await plain.until(content(has: "No bundle is installed."))
      #expect(try await !stage.host("list", "--json").stdout.contains(IndexStage.clock))
      #expect(browser.complaints == [])
    }
  }

  @Test func `offers what is not installed, and goes back when a version does not start`() async throws {
    let stage = try IndexStage()
    try stage.makeKeys()
    try await stage.publish([stage.bundle("1")])
    try await stage.withServer { url in
      #expect(try await stage.host("search", "--from", url, "--trust").status == 0)
      let (page, browser, tab) = try await opened(stage.host)
      try await tab.until(content(has: "No bundle is installed."))
      try await press("Look for updates", in: tab)
      try await tab.until(content(has: "What the indexes offer besides"))
      try await press("Install", in: tab)
      try await tab.until(note(has: "\(IndexStage.app) 1 is installed."))
      try await tab.until("document.querySelector('[data-key^=bundle-]')")
      try await page.go(to: "today", in: tab)
      try await tab.until(content(has: "version 1,"))
      try await page.go(to: "bundles", in: tab)
      try await stage.publish([stage.bundle("2", begins: "sys.exit(3)")])
      try await press("Look for updates", in: tab)
      try await press("Update", in: tab)
      try await tab.until(note(has: "does not start, and 1 is used again"))
      #expect(try await stage.host("list", "-i", IndexStage.clock, "--json").stdout.contains("\"version\": \"1\""))
      // The browser itself notes that the form was refused.
      #expect(browser.complaints.allSatisfy { $0.contains("status of 422") }, "\(browser.complaints)")
    }
  }

  @Test func `says how an index is trusted, and how a bundle is added`() async throws {
    let (page, _, tab) = try await opened(try HostTool())
    try await tab.until(content(has: "host install NAME --from URL"))
    try await tab.until(content(has: "host add BUNDLE"))
    _ = page
  }
}
