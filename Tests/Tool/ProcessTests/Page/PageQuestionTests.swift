import Foundation
import JSON
import Testing

/// Questions of extensions, answered in a real browser.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: Script.isAvailable))
struct `A question in a browser` {
  private static let network = "<key>Network</key><array><string>127.0.0.1:*</string></array>"

  private func widget(_ name: String, in folder: TemporaryFolder) throws -> String {
    try Script.install(
      name, in: folder, annex: Self.network,
      """
      reply = call("permission/request", {"name": "network", "reason": "to look <b>around</b>"})
      show("It is " + (reply["result"]["state"] if "result" in reply else str(reply)))
      """)
  }

  private func opened(_ names: [String]) async throws -> (PageTool, Browser, Tab, [String]) {
    let folder = try PageTool.folder()
    let ids = try names.map { try widget($0, in: folder) }
    let page = try await PageTool(HostTool(folder), manifests: ["\(folder.path)/manifests"])
    let browser = try Browser()
    let tab = try await browser.tab()
    try await page.enter(tab)
    return (page, browser, tab, ids)
  }

  /// A page that runs no extension, on the state of a host that has one which asks.
  private func openedBeside() async throws -> (PageTool, Browser, Tab, String) {
    let (folder, none) = (try PageTool.folder(), try PageTool.folder())
    let id = try widget("asks", in: folder)
    let page = try await PageTool(HostTool(folder), manifests: ["\(none.path)/manifests"])
    let browser = try Browser()
    let tab = try await browser.tab()
    try await page.enter(tab)
    return (page, browser, tab, id)
  }

  private func shows(_ text: String, _ id: String) -> String {
    "document.querySelector('[data-key=\"widget-\(id)\"]')?.innerText.includes('\(text)')"
  }

  @Test(arguments: [
    ("once", "granted", ""), ("session", "granted", ""), ("always", "granted", "granted"),
    ("never", "denied", "denied"),
    ("later", "undecided", ""),
  ])
  func `is answered by its buttons`(word: String, state: String, kept: String) async throws {
    let (page, browser, tab, ids) = try await opened(["asks"])
    try await tab.until("document.querySelector('[data-question]')")
    let text = try await tab.value("document.querySelector('[data-question]').innerText").stringValue ?? ""
    for part in [
      "asks asks for “network”", "127.0.0.1:*", "to look <b>around</b>", ids[0], "com.example.fixtures", "For example",
    ] {
      #expect(text.contains(part), "\(text)")
    }
    if word == "once" { try await tab.picture("question") }
    try await tab.until("!document.getElementById('answer-\(word)').disabled")
    try await tab.click("#answer-\(word)")
    try await tab.until("!document.querySelector('[data-question]')")
    try await tab.until(shows("It is \(state)", ids[0]))
    let record = (try? String(contentsOfFile: "\(page.host.home)/permissions.json", encoding: .utf8)) ?? ""
    #expect(kept.isEmpty ? !record.contains("network") : record.contains("\"\(kept)\""), "\(record)")
    // Asked again in its next run after “once” and “later”, and not after the others.
    try await tab.click("[data-key='widget-\(ids[0])'] footer button")
    if ["once", "later"].contains(word) {
      try await tab.until("document.querySelector('[data-question]')")
    } else {
      try await tab.until("document.getElementById('note').innerText.includes('brought up to date')")
      #expect(try await tab.value("document.querySelector('[data-question]')") == .null)
    }
    #expect(browser.complaints == [])
  }

  @Test func `comes one at a time, and takes no click before it was in sight for half a second`() async throws {
    let (_, _, tab, ids) = try await opened(["first", "second"])
    try await tab.until("document.querySelector('[data-question]')?.innerText.includes('1 more after this one')")
    #expect(try await tab.value("document.querySelectorAll('[data-question]').length") == 1)
    #expect(try await tab.value("document.activeElement.id") == "question-title", "no button has the focus by itself")
    // A page that was elsewhere: the buttons wait again.
    try await tab.until("!document.getElementById('answer-always').disabled")
    try await tab.value("window.dispatchEvent(new Event('blur')); 1")
    #expect(try await tab.value("document.getElementById('answer-always').disabled") == true)
    // The server counts for itself.
    let early = try await tab.value(
      """
      (async () => { const q = document.querySelector('[data-question]'); const f = new URLSearchParams(new FormData(q.querySelector('form')));
      f.set('answer', 'always'); const post = () => fetch('question', { method: 'POST', body: f, headers: { 'X-Annex-Page': document.body.dataset.form } });
      const done = await post(); const page = await (await fetch(location.href)).text();
      const next = new DOMParser().parseFromString(page, 'text/html').querySelector('[data-question]');
      f.set('id', next.dataset.question); const answer = await post(); return [done.status, answer.status]; })()
      """)
    #expect(early == [200, 422], "\(early)")
    try await tab.until(
      "document.querySelector('[data-question]') && !document.querySelector('[data-question]').innerText.includes('more after')"
    )
    try await tab.until("!document.getElementById('answer-never').disabled")
    try await tab.click("#answer-never")
    for id in ids { try await tab.until(shows("It is", id)) }
    let texts = try await tab.value("document.getElementById('content').innerText").stringValue ?? ""
    #expect(texts.contains("It is granted") && texts.contains("It is denied"), "\(texts)")
  }

  @Test func `that is left for later is not asked again by itself`() async throws {
    let (page, browser, tab, ids) = try await opened(["asks"])
    try await tab.until("document.querySelector('[data-question]')")
    // The schedule comes by once a second; a widget that waits for an answer is not due.
    try await tab.until("performance.now() > 3500")
    try await tab.until("!document.getElementById('answer-later').disabled")
    try await tab.click("#answer-later")
    try await tab.until(shows("It is undecided", ids[0]))
    page.program.signal(SIGTERM)
    #expect(try await page.program.finish().status == 0)
    let stats = try await page.host("stats", ids[0], "--json", "--manifests", "\(page.host.folder.path)/manifests").json
    #expect(stats[0]?["launches"] == 1, "\(stats)")
    #expect(browser.complaints.allSatisfy { $0.contains("ERR_") }, "\(browser.complaints)")
  }

  @Test(arguments: [("session", "granted"), ("always", "granted"), ("never", "denied"), ("later", "undecided")])
  func `of another command is answered here`(word: String, state: String) async throws {
    let (page, browser, tab, id) = try await openedBeside()
    let words = ["today", id, "--manifests", "\(page.host.folder.path)/manifests"]
    let other = try page.host.start(words, input: .null)
    try await tab.until("document.querySelector('[data-question]')?.innerText.includes('\(id)')")
    #expect(
      try await tab.value("document.querySelector('[data-question]').innerText.includes('unsigned, local')") == true)
    try await tab.until("!document.getElementById('answer-\(word)').disabled")
    try await tab.click("#answer-\(word)")
    let output = try await other.finish()
    #expect(output.stdout.contains("It is \(state)"), "\(output)")
    try await tab.until("!document.querySelector('[data-question]')")
    #expect(browser.complaints == [])
  }

  @Test func `of another command goes when that command ends`() async throws {
    let (page, _, tab, id) = try await openedBeside()
    let words = ["today", id, "--manifests", "\(page.host.folder.path)/manifests"]
    let other = try page.host.start(words, input: .null)
    try await tab.until("document.querySelector('[data-question]')")
    other.signal(SIGKILL)
    try await tab.until("!document.querySelector('[data-question]')")
    // And one that asks while no page is served decides nothing, at once.
    page.program.signal(SIGTERM)
    #expect(try await page.program.finish().status == 0)
    let alone = try await page.host(words)
    #expect(alone.stdout.contains("It is undecided"), "\(alone)")
  }

  @Test func `is undecided when the page ends`() async throws {
    let (page, _, tab, ids) = try await opened(["asks"])
    try await tab.until("document.querySelector('[data-question]')")
    page.program.signal(SIGTERM)
    #expect(try await page.program.finish().status == 0)
    try await tab.until("!document.getElementById('away').hidden")
    #expect(!FileManager.default.fileExists(atPath: "\(page.host.home)/permissions.json"), "\(ids)")
  }
}
