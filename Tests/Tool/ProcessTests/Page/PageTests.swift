import Foundation
import JSON
import TestSupport
import Testing

/// The page in a real browser, over real extensions.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `The page in a browser` {
  private static let group = "group.com.example.adventures"
  private static let samples = [Build.samples]

  /// Whether a widget's card has a text.
  private func card(_ name: String, has text: String) -> String {
    "document.querySelector('[data-key=\"widget-com.example.adventures.\(name)\"]')?.innerText.includes('\(text)')"
  }

  @Test func `has pages that hold together, wide and narrow, light and dark`() async throws {
    let page = try await PageTool(HostTool(), manifests: Self.samples)
    let browser = try Browser()
    let tab = try await browser.tab()
    try await page.enter(tab)
    #expect(try await tab.value("location.hash + document.cookie") == "", "no script has the token or the cookie")
    try await tab.until(card("clock", has: "visit"))
    try await tab.until(card("visits", has: "Visit"))
    try await tab.picture("today")
    for name in ["extensions", "decisions", "groups"] {
      try await page.go(to: name, in: tab)
      try await tab.picture(name)
    }
    try await page.go(to: "extensions", in: tab)
    try await tab.click("a[href$='id=com.example.adventures.clock']")
    try await tab.until("document.querySelector('[data-key=detail]')")
    try await tab.until(
      "document.querySelector('[data-key=runs] svg')?.getAttribute('aria-label').startsWith('Peak memory: ')")
    #expect(try await tab.value("document.querySelectorAll('[data-key=runs] svg rect').length >= 2") == true)
    #expect(try await tab.value("document.querySelectorAll('[data-key=runs] tbody tr').length >= 1") == true)
    try await tab.picture("extension")
    let narrow = try await browser.tab(width: 320, height: 640, isDark: true)
    try await narrow.open(try #require(try await tab.value("location.href").stringValue))
    for name in ["today", "extensions", "decisions", "groups", "bundles"] {
      try await narrow.until("document.querySelector('nav a')")
      try await page.go(to: name, in: narrow)
      let widths = try await narrow.value("document.documentElement.scrollWidth")
      #expect((widths.integerValue ?? 0) <= 320, "\(name) is \(widths) wide")
      try await narrow.picture("\(name)-narrow-dark")
    }
    // Whoever does not see hears the name of every control, and each page has one heading of the first level.
    for name in ["today", "extensions", "decisions", "groups", "bundles"] {
      try await page.go(to: name, in: tab)
      #expect(try await tab.value("document.querySelectorAll('h1').length") == 1)
      let nameless = try await tab.value(
        "[...document.querySelectorAll('button, a, input:not([type=hidden])')].filter(e => !(e.innerText.trim() "
          + "|| e.getAttribute('aria-label') || (e.labels && e.labels.length))).length")
      #expect(nameless == 0, "\(name)")
      #expect(
        try await tab.value(
          "new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size == document.querySelectorAll('[id]').length"
        ) == true)
    }
    #expect(browser.complaints == [])
  }

  @Test func `shows a write of another program in a widget and in its group at once`() async throws {
    let host = try HostTool()
    let page = try await PageTool(host, manifests: Self.samples)
    let browser = try Browser()
    let (today, groups) = (try await browser.tab(), try await browser.tab())
    try await page.enter(today)
    try await today.until(card("visits", has: "Visit 1"))
    try await groups.open(try #require(try await today.value("location.href").stringValue))
    try await groups.until("document.querySelector('nav a')")
    try await page.go(to: "groups", in: groups)
    let wrote = try await host("defaults", "write", Self.group, "visits", "--type", "int", "41")
    #expect(wrote.status == 0, "\(wrote)")
    try await today.until(card("visits", has: "Visit 4"))
    try await groups.until("document.getElementById('content').innerText.includes('visits')")
    #expect(browser.complaints == [])
  }

  @Test func `shows each of many writes, the last one last`() async throws {
    let host = try HostTool()
    let page = try await PageTool(host, manifests: Self.samples)
    let browser = try Browser()
    let tab = try await browser.tab()
    try await page.enter(tab)
    try await page.go(to: "groups", in: tab)
    for number in 0..<20 {
      let output = try await host.shell("\"$0\" defaults write \(Self.group) mark mark-\(number)")
      #expect(output.status == 0, "\(output)")
      try await tab.until("document.getElementById('content').innerText.includes('mark-\(number)')")
    }
    #expect(browser.complaints == [])
  }

  @Test func `keeps twenty tabs alive over one stream`() async throws {
    let host = try HostTool()
    let page = try await PageTool(host, manifests: Self.samples)
    let browser = try Browser()
    let first = try await browser.tab()
    try await page.enter(first)
    try await page.go(to: "groups", in: first)
    let address = try #require(try await first.value("location.href").stringValue)
    var tabs = [first]
    for _ in 1..<20 {
      let tab = try await browser.tab()
      try await tab.open(address)
      tabs.append(tab)
    }
    for tab in tabs { try await tab.until("document.querySelector('#content table, #content .nothing')") }
    #expect(try await host("defaults", "write", Self.group, "tabs", "all-of-them").status == 0)
    for tab in tabs {
      try await tab.until("document.getElementById('content').innerText.includes('all-of-them')")
    }
    let (status, sockets) = (page.program.pid, "/proc/\(page.program.pid)/fd")
    #expect(status > 0 && FileManager.default.fileExists(atPath: sockets))
    #expect(browser.complaints == [])
  }

  @Test func `works by keyboard alone`() async throws {
    let page = try await PageTool(HostTool(), manifests: Self.samples, more: ["--consent", "deny"])
    let browser = try Browser()
    let tab = try await browser.tab()
    try await page.enter(tab)
    try await tab.until(card("visits", has: "Visit"))
    try await tab.until(card("clock", has: "Count anew"))
    // The first stop leads past the menu.
    try await tab.tabulate()
    #expect(try await tab.value("document.activeElement.className") == "skip")
    try await tab.enter()
    var stops = 0
    while try await tab.value("document.activeElement.id") != "row-com.example.adventures.clock-0", stops < 60 {
      try await tab.tabulate()
      stops += 1
    }
    #expect(try await tab.value("getComputedStyle(document.activeElement).outlineStyle") != "none", "the focus is seen")
    try await tab.enter()
    try await tab.until("document.getElementById('note').innerText.includes('Clock: done.')")
    #expect(try await tab.value("document.activeElement.id") == "row-com.example.adventures.clock-0", "the focus stays")
    // On to another page by its link.
    while try await tab.value("document.activeElement.getAttribute('href')") != "groups" { try await tab.tabulate() }
    try await tab.enter()
    try await tab.until("document.title.startsWith('Groups')")
  }

  @Test func `works without scripts`() async throws {
    let page = try await PageTool(HostTool(), manifests: Self.samples)
    let browser = try Browser()
    let tab = try await browser.tab(hasScripts: false)
    try await tab.open("http://127.0.0.1:\(page.port)/")
    try await tab.until("document.getElementById('token')")
    try await tab.click("#token")
    try await tab.type(String(page.address.split(separator: "#")[1]))
    try await tab.enter()
    try await tab.until("document.title.startsWith('Today')")
    // What the widgets show is there when the page is asked for again.
    for _ in 0..<100 {
      if try await tab.value("document.getElementById('row-com.example.adventures.clock-0') != null") == true { break }
      try await page.go(to: "today", in: tab)
    }
    try await tab.click("#row-com\\.example\\.adventures\\.clock-0")
    try await tab.until("document.getElementById('note').innerText.includes('Clock: done.')")
    try await page.go(to: "decisions", in: tab)
    try await tab.click("[data-key='asked-com.example.adventures.headlines'] .buttons button")
    try await tab.until(
      "document.querySelector('[data-key=\"asked-com.example.adventures.headlines\"]').innerText.includes('granted')")
    #expect(
      try await page.host("permissions", "com.example.adventures.headlines", "--manifests", Build.samples)
        .stdout.contains("granted"))
  }

  @Test func `survives a crashing extension, and says why it failed`() async throws {
    let folder = try PageTool.folder()
    let id = try Script.install("crashing", in: folder, "sys.stderr.write('the reason <b>is</b> here\\n'); os._exit(3)")
    let host = try HostTool(folder)
    let page = try await PageTool(host, manifests: ["\(folder.path)/manifests"])
    let browser = try Browser()
    let tab = try await browser.tab()
    try await page.enter(tab)
    try await tab.until("document.querySelector('[data-key=\"widget-\(id)\"] .failure')")
    try await page.go(to: "extensions", in: tab)
    try await tab.until("document.querySelector('[data-key=\"entry-\(id)\"] .tag').innerText == 'failing'")
    try await tab.click("[data-key='entry-\(id)'] a")
    try await tab.until(
      "document.querySelector('[data-key=detail] pre')?.innerText.includes('the reason <b>is</b> here')")
    try await tab.picture("failure")
    try await tab.click("[data-key=detail] .buttons button.primary")
    try await tab.until("document.getElementById('note').innerText.includes('may start again')")
  }

  @Test func `shows messages with their durations, and a thousand a second`() async throws {
    let folder = try PageTool.folder()
    let id = try Script.install(
      "chatty", in: folder,
      """
      for number in range(1000):
          send({"method": "$/log", "params": {"level": "info", "message": "line %d" % number}})
      show("done")
      """)
    let page = try await PageTool(HostTool(folder), manifests: ["\(folder.path)/manifests"])
    let browser = try Browser()
    let (today, tab) = (try await browser.tab(), try await browser.tab())
    try await page.enter(today)
    try await today.until("document.querySelector('[data-key=\"widget-\(id)\"]')?.innerText.includes('done')")
    try await tab.open(try #require(try await today.value("location.href").stringValue))
    try await tab.until("document.querySelector('nav a')")
    try await page.go(to: "inspector", in: tab)
    try await tab.until("document.querySelector('.messages')?.innerText.includes('widget/performUpdate')")
    try await tab.picture("inspector")
    // On a machine with much else to do the best of three counts.
    var most: Int64 = 0
    for _ in 0..<3 {
      try await today.value("document.querySelector('[data-key=\"widget-\(id)\"] footer button').click(); 1")
      // Frames go on being drawn while messages come.
      let frames = try await tab.value(
        "new Promise(done => { let n = 0; const until = performance.now() + 1000; const next = () => { n++; "
          + "performance.now() < until ? requestAnimationFrame(next) : done(n); }; requestAnimationFrame(next); })")
      most = max(most, frames.integerValue ?? 0)
    }
    #expect(most >= 5, "\(most) frames in a second")
    try await tab.click("#find")
    try await tab.type("performUpdate")
    try await tab.enter()
    try await tab.until("location.search.includes('find=performUpdate') && document.querySelector('.messages')")
    #expect(
      try await tab.value(
        "[...document.querySelectorAll('.messages tbody code')].every(e => e.innerText.includes('performUpdate') || e.innerText.startsWith('com.'))"
      ) == true)
    try await tab.click(".messages tbody a")
    try await tab.until("document.querySelector('pre')?.innerText.includes('\"jsonrpc\": \"2.0\"')")
    // A request of the host's, and no answer to one, is served once more.
    try await tab.value("location.href = 'inspector?find=performUpdate'; 1")
    try await tab.until(
      "[...document.querySelectorAll('.messages tbody tr')].some(e => e.innerText.includes('performUpdate') && !e.querySelector('.tag'))"
    )
    try await tab.value(
      "[...document.querySelectorAll('.messages tbody tr')].find(e => e.innerText.includes('performUpdate') && !e.querySelector('.tag')).querySelector('a').click(); 1"
    )
    try await tab.until("document.querySelector('[data-key=message] button')")
    try await tab.click("[data-key=message] button")
    try await tab.until("document.querySelector('[data-key=again] pre')?.innerText.includes('\"result\"')")
    #expect(browser.complaints == [])
  }

  @Test func `shows the bar of a transfer, and cancels it`() async throws {
    let server = try RawServer([
      .bytesThenSilence(
        "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\nETag: \"a\"\r\n\r\n" + String(repeating: "x", count: 250_000))
    ])
    defer { server.hangUp() }
    let host = try HostTool()
    let page = try await PageTool(host, manifests: Self.samples, more: ["--consent", "deny"])
    let browser = try Browser()
    let tab = try await browser.tab()
    try await page.enter(tab)
    try await page.go(to: "sessions", in: tab)
    try await tab.until("document.querySelector('.nothing')")
    let begun = try await host(
      "sessions", "download", "\(server.url)/photo.jpg", "-o", "\(host.folder.path)/photo.jpg", "--detach")
    #expect(begun.status == 0, "\(begun)")
    try await tab.until("document.querySelector('progress')?.value >= 200000")
    #expect(try await tab.value("document.querySelector('progress').max") == 1_000_000)
    try await tab.picture("sessions")
    try await tab.click("[id^=cancel-]")
    try await tab.until("document.getElementById('content').innerText.includes('cancelled')")
    #expect(browser.complaints == [])
  }
}
