import Foundation
import JSON
import Testing

/// What a user hands to extensions on the page, in a real browser.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: Script.isAvailable))
struct `A share in a browser` {
  private static let takesEverything = """
    <key>NSExtensionAttributes</key><dict><key>NSExtensionActivationRule</key><dict>
    <key>NSExtensionActivationSupportsText</key><true/>
    <key>NSExtensionActivationSupportsFileWithMaxCount</key><integer>3</integer></dict></dict>
    """

  /// An action that says what it got and returns it, and a share extension that refuses short texts.
  private func opened() async throws -> (PageTool, Browser, Tab) {
    let folder = try PageTool.folder()
    try Script.install(
      "shouts", point: "com.apple.ui-services", in: folder, attributes: Self.takesEverything,
      """
      if method == "context/beginRequest":
          answer({"accepted": True})
      elif method == "action/perform":
          answer({})
          items = params["inputItems"]
          names = [a.get("suggestedName") or "" for a in items[0]["attachments"]]
          texts = [a["inline"]["value"] for a in items[0]["attachments"] if "inline" in a]
          call("context/completeRequest", {"requestID": params["requestID"], "returningItems": [{"attachments": [
            {"itemID": "r1", "suggestedName": "../loud <b>.txt", "registeredTypeIdentifiers": ["public.utf8-plain-text"],
             "inline": {"type": "public.utf8-plain-text", "value": " ".join(texts + names).upper()}}]}]})
      """)
    try Script.install(
      "posts", point: "com.apple.share-services", in: folder, attributes: Script.takesText,
      """
      if method == "context/beginRequest":
          answer({"accepted": True})
      elif method == "share/validateContent":
          answer({"isValid": len(params["contentText"]) > 3})
      elif method == "share/didSelectPost":
          answer({})
          call("context/completeRequest", {"requestID": params["requestID"], "returningItems": []})
      else:
          send({"id": request["id"], "error": {"code": -32601, "message": "no"}})
      """)
    try Script.install(
      "links", point: "com.apple.share-services", in: folder,
      attributes: Script.takesText.replacing("SupportsText", with: "SupportsWebURLWithMaxCount").replacing(
        "<true/>", with: "<integer>1</integer>"),
      "pass")
    let page = try await PageTool(HostTool(folder), manifests: ["\(folder.path)/manifests"])
    let browser = try Browser()
    let tab = try await browser.tab()
    try await page.enter(tab)
    try await page.go(to: "share", in: tab)
    return (page, browser, tab)
  }

  @Test func `goes to an action, and its result comes back`() async throws {
    let (_, browser, tab) = try await opened()
    try await tab.click("#text")
    try await tab.type("quiet <i>words</i>")
    try await tab.click("form.panel button.primary")
    try await tab.until("document.getElementById('run-com.example.fixtures.shouts')")
    #expect(try await tab.value("document.getElementById('run-com.example.fixtures.posts') != null") == true)
    try await tab.picture("share")
    try await tab.click("#run-com\\.example\\.fixtures\\.shouts")
    try await tab.until("document.querySelector('#answer pre')?.innerText.trim() == 'QUIET <I>WORDS</I>'")
    #expect(try await tab.value("document.querySelector('#answer .results bdi').innerText") == "loud <b>.txt")
    let saved = try await tab.value(
      """
      fetch(location.href, { method: "POST", body: new URLSearchParams(new FormData(document.querySelector("#answer .results form"))) })
        .then(async (a) => [a.status, a.headers.get("Content-Disposition"), a.headers.get("Content-Type"), await a.text()])
      """)
    #expect(
      saved == [
        200, "attachment; filename*=UTF-8''loud%20%3Cb%3E.txt", "application/octet-stream", "QUIET <I>WORDS</I> ",
      ], "\(saved)")
    #expect(browser.complaints == [])
  }

  @Test func `is not taken away while it is written, when the page hears of something new`() async throws {
    let (_, _, tab) = try await opened()
    let fetched = "performance.getEntriesByType('resource').filter((e) => e.initiatorType == 'fetch').length"
    // The page asks for what is new as soon as its stream is there.
    try await tab.until("\(fetched) > 0")
    try await tab.click("#text")
    try await tab.type("half a sent")
    for round in 1...2 {
      let before = try #require(try await tab.value(fetched).integerValue)
      try await tab.value("document.activeElement.blur(); document.dispatchEvent(new Event('visibilitychange')); 1")
      try await tab.until("\(fetched) > \(before)")
      #expect(try await tab.value("document.getElementById('text').value") == "half a sent", "\(round)")
    }
  }

  @Test func `takes a file that is dropped, and says why others do not take it`() async throws {
    let (page, browser, tab) = try await opened()
    let file = try page.host.folder.write("dropped.txt", "from a file")
    try await tab.drop(file, on: "#files")
    try await tab.until("document.getElementById('files').files.length == 1")
    try await tab.click("form.panel button.primary")
    try await tab.until("document.getElementById('run-com.example.fixtures.shouts')")
    #expect(try await tab.value("document.getElementById('run-com.example.fixtures.links')") == .null)
    #expect(
      try await tab.value("document.querySelector('details summary').innerText.includes('links does not take it')")
        == true)
    try await tab.click("#run-com\\.example\\.fixtures\\.shouts")
    try await tab.until("document.querySelector('#answer pre')?.innerText.includes('FROM A FILE DROPPED.TXT')")
    #expect(browser.complaints == [])
  }

  @Test func `is posted with what was written, or not when the extension refuses it`() async throws {
    let (_, _, tab) = try await opened()
    for (text, answer) in [("abc", "Done."), ("abcdef", "Done.")] {
      try await tab.click("#text")
      try await tab.type(text)
      try await tab.click("form.panel button.primary")
      try await tab.until("document.getElementById('run-com.example.fixtures.posts')")
      try await tab.click("#run-com\\.example\\.fixtures\\.posts")
      if text.count > 3 {
        try await tab.until("document.querySelector('#answer')?.innerText.includes('\(answer)')")
      } else {
        try await tab.until("document.querySelector('.failure')")
        try await tab.click("nav a[href=share]")
        try await tab.until("document.getElementById('text')")
      }
    }
  }

  @Test func `needs something to hand over`() async throws {
    let (_, _, tab) = try await opened()
    try await tab.click("form.panel button.primary")
    try await tab.until("document.querySelector('.failure')?.innerText.includes('nothing to hand over')")
    try await tab.click("#url")
    try await tab.type("no address")
    try await tab.click("form.panel button.primary")
    try await tab.until("document.querySelector('.failure')?.innerText.includes('not a web address')")
    #expect(
      try await tab.value("document.getElementById('url').value") == "no address", "what was written is still there")
  }
}
