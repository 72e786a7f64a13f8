import EventLoop
import Foundation
import HTTPServer
import JSON
import Testing

/// Extensions and other web pages that mean no good, in a real browser.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: Script.isAvailable))
struct `The page among enemies` {
  /// Two hundred texts that would run a script or break the page, were they taken for mark-up.
  private static let texts: [String] = {
    let marks = "window.owned=1"
    let seeds = [
      "<script>\(marks)</script>", "<img src=x onerror=\(marks)>", "\"><svg onload=\(marks)>",
      "' onfocus='\(marks)' autofocus='",
      "</bdi></p></main></body>", "<!-- ", "<base href=//127.0.0.1:9>",
      "<iframe srcdoc='<script>parent.owned=1</script>'>",
      "<style>*{display:none}</style>", "javascript:\(marks)", "<a href=\"javascript:\(marks)\">a</a>",
      "\u{202E}gpj.exe\u{2066}",
      "</textarea></title><script>\(marks)</script>", "<form action=//evil.example><button id=answer-always>",
      "&lt;script&gt;",
      "<meta http-equiv=refresh content='0;url=//evil.example'>", "<input autofocus onfocus=\(marks)>", "]]><x>",
      "<math><mi//xlink:href=\"data:x\">",
      "<div data-key=menu-today data-question=1>", "<object data=x>", "<link rel=stylesheet href=//evil.example>",
      "<details open ontoggle=\(marks)>",
      "\u{0}\u{1}\u{1B}]0;a\u{7}", "<template shadowrootmode=open><script>\(marks)</script>",
    ]
    let frames: [(String, String)] = [
      ("", ""), ("\"", "\""), ("'", "'"), ("<", ">"), ("=", " "), ("&", ";"), ("`", "`"), ("</", "\n"),
    ]
    return seeds.flatMap { seed in frames.map { "\($0.0)\(seed)\($0.1)" } }
  }()

  @Test func `runs no script of two hundred texts, wherever they are shown`() async throws {
    #expect(Self.texts.count >= 200)
    let folder = try PageTool.folder()
    let host = try HostTool(folder)
    let literal = JSONCoding.text(of: .array(Self.texts.map { .string($0) }))
    let network = "<key>Network</key><array><string>127.0.0.1:*</string></array>"
    var ids: [String] = []
    for place in 0..<4 {
      ids.append(
        try Script.install(
          "hostile\(place)", in: folder, annex: network,
          """
          texts = json.loads(\(JSONCoding.text(of: .string(literal))))
          texts = texts[\(place * 50):\((place + 1) * 50)]
          if \(place) == 0:
              call("permission/request", {"name": "network", "reason": texts[0] + texts[1]})
          send({"id": 5, "method": "widget/setLargestAvailableDisplayMode", "params": {"mode": "expanded"}})
          sys.stdin.readline()
          rows = [{"title": t, "subtitle": t, "value": t} for t in texts]
          rows[1]["url"] = "x:" + texts[1]
          answer({"result": "newData", "view": {"title": texts[2], "text": "\\n".join(texts), "rows": rows}})
          """))
    }
    let broken = try Script.install(
      "complains", in: folder,
      "send({\"id\": request[\"id\"], \"error\": {\"code\": -32000, \"message\": \(JSONCoding.text(of: .string(Self.texts[0] + Self.texts[20])))}})"
    )
    let page = try await PageTool(host, manifests: ["\(folder.path)/manifests"])
    let browser = try Browser()
    let tab = try await browser.tab()
    try await page.enter(tab)
    try await tab.until("document.querySelector('[data-question]')")
    try await tab.until("!document.getElementById('answer-later').disabled")
    try await tab.click("#answer-later")
    // A widget that was ended beside other load, and started once more, asks once more.
    let later = "(b => b && !b.disabled && b.click())(document.getElementById('answer-later'))"
    for id in ids {
      let card = "document.querySelector('[data-key=\"widget-\(id)\"]')"
      try await tab.until("\(card)?.querySelector('.rows') || (\(later), false)")
      try await tab.until("[...\(card).querySelectorAll('footer button')].some(b => b.innerText == 'Show more')")
      try await tab.value(
        "[...\(card).querySelectorAll('footer button')].find(b => b.innerText == 'Show more').click(); 1")
      try await tab.until("\(card)?.querySelectorAll('.rows li').length == 50")
      let texts = try await tab.value("[...\(card).querySelectorAll('.rows .title')].map(e => e.textContent)")
      #expect(texts.arrayValue?.count == 50)
    }
    try await tab.until("document.querySelector('[data-key=\"widget-\(broken)\"] .failure')")
    try await look(at: tab)
    for name in ["extensions", "decisions"] {
      try await page.go(to: name, in: tab)
      try await look(at: tab)
    }
    try await page.go(to: "extensions", in: tab)
    try await tab.click("[data-key='entry-\(broken)'] a")
    try await tab.until("document.querySelector('[data-key=detail]')")
    try await look(at: tab)
    #expect(browser.complaints == [])
  }

  @Test func `runs no script of two hundred texts as names of bundles, teams and places`() async throws {
    let host = try HostTool(PageTool.folder())
    let bundles: [JSONValue] = Self.texts.map { text in
      let digest = String(repeating: "a", count: 64)
      return [
        "path": .string("/nowhere/\(text).app"), "identifier": .string(text), "added": 1,
        "signature": [
          "team": .string(text), "name": .string(text), "key": .string(digest), "digest": .string(digest),
          "stamps": [:],
        ],
      ]
    }
    try host.folder.write(
      "home/registry.json", JSONCoding.text(of: ["bundles": .array(bundles), "elections": [:]]), mode: 0o600)
    chmod(host.home, 0o700)
    let page = try await PageTool(host, manifests: ["\(host.folder.path)/manifests"])
    let browser = try Browser()
    let tab = try await browser.tab()
    try await page.enter(tab)
    try await page.go(to: "bundles", in: tab)
    try await tab.until("document.querySelectorAll('#content section h2').length == \(Self.texts.count)")
    try await look(at: tab)
    // The question before a bundle is removed shows its name once more.
    try await tab.value("document.querySelectorAll('#content section form button')[3].click(); 1")
    try await tab.until("document.querySelector('[data-key=confirmation]')")
    try await look(at: tab)
    #expect(browser.complaints == [])
  }

  @Test func `runs no script of two hundred texts in an operation, its SQL and its answer`() async throws {
    let stage = try await EmulatorStage("--ephemeral")
    let page = try await PageTool(stage.host, manifests: [PageTool.manifests(in: stage.host.folder)])
    let browser = try Browser()
    let tab = try await browser.tab()
    try await page.enter(tab)
    try await page.go(to: "data", in: tab)
    // What no text of the database can have is left out.
    let all = Self.texts.joined(separator: " ").replacing("\u{0}", with: "").replacing("'", with: "''")
    let sql = JSONValue.string("SELECT '\(all)' AS \"<b>x</b>\"")
    let operation = "query { rows: _select(sql: \(sql)) }"
    try await tab.value("document.getElementById('operation').value = \(JSONValue.string(operation)); 1")
    try await tab.click("#run")
    try await tab.until("document.querySelector('pre.sql')?.innerText.includes('SELECT')")
    #expect(try await tab.value("document.querySelectorAll('#content pre').length") == 2, "the answer and its SQL")
    try await look(at: tab, fields: 2)
    #expect(browser.complaints == [])
    try await stage.end()
  }

  /// Nothing ran, and the document has only what the page makes.
  ///
  /// - Parameter fields: the fields for long texts that the page has.
  private func look(at tab: Tab, fields: Int = 0) async throws {
    let found = try await tab.value(
      """
      [window.owned === undefined, document.querySelectorAll('script').length,
       document.querySelectorAll('iframe, object, embed, style, base, math, template, textarea, img:not([src="/assets/icon.svg"])').length,
       [...document.querySelectorAll('*')].filter(e => [...e.attributes].some(a => a.name.startsWith('on'))).length,
       document.querySelectorAll('main').length, document.querySelectorAll('nav').length,
       [...document.querySelectorAll('[href], [action]')].filter(e => new URL(e.getAttribute('href') || e.getAttribute('action') || '', location.href).origin != location.origin).length]
      """)
    #expect(found == [true, 1, .integer(Int64(fields)), 0, 1, 1, 0], "\(found)")
  }

  @Test func `is neither read nor moved by a page of another origin`() async throws {
    let host = try HostTool()
    let page = try await PageTool(host, manifests: [Build.samples])
    let browser = try Browser()
    let own = try await browser.tab()
    try await page.enter(own)
    let address = try #require(try await own.value("location.href").stringValue)
    let form = try #require(try await own.value("document.body.dataset.form").stringValue)
    let id = "com.example.adventures.headlines"
    // The attacker knows everything but the cookie, which the browser has.
    let fields = "do=grant&id=\(id)&permission=network&form=\(form)"
    let attack = """
      <!doctype html><title>attack</title><body><script>
      const results = {}; const base = "\(address)".replace("today", "");
      const fields = "\(fields)&scope=" + encodeURIComponent("127.0.0.1:*\\nlocalhost:*");
      const attempt = async (name, work) => { try { results[name] = await work(); } catch (e) { results[name] = "refused"; } };
      (async () => {
        const type = { "Content-Type": "application/x-www-form-urlencoded" };
        await attempt("read", async () => (await (await fetch(base + "today", { credentials: "include" })).text()).length);
        await attempt("post", async () => (await fetch(base + "decisions", { method: "POST", body: fields, headers: type, credentials: "include" })).status);
        await attempt("blind", async () => (await fetch(base + "decisions", { method: "POST", body: fields, headers: type, mode: "no-cors", credentials: "include" })).type);
        await attempt("own header", async () => (await fetch(base + "decisions", { method: "POST", body: fields, headers: { "X-Annex-Page": "\(form)", ...type }, credentials: "include" })).status);
        const element = (tag, set) => new Promise((done) => { const e = document.createElement(tag); set(e); e.onload = () => done("loaded"); e.onerror = () => done("refused"); document.body.append(e); });
        await attempt("image", () => element("img", (e) => e.src = "http://127.0.0.1:\(page.port)/assets/icon.svg"));
        await attempt("script", () => element("script", (e) => e.src = "http://127.0.0.1:\(page.port)/assets/page.js"));
        await attempt("socket", () => new Promise((done) => { const s = new WebSocket(base.replace("http", "ws") + "live"); s.onopen = () => done("open"); s.onerror = () => done("refused"); }));
        await attempt("stream", () => new Promise((done) => { const s = new EventSource(base + "live", { withCredentials: true }); s.onopen = () => done("open"); s.onerror = () => { s.close(); done("refused"); }; }));
        const frame = document.createElement("iframe"); frame.src = base + "decisions"; frame.name = "target";
        await new Promise((done) => { frame.onload = done; setTimeout(done, 2000); document.body.append(frame); });
        try { results.frame = frame.contentDocument && frame.contentDocument.body.innerText.includes("Headlines") ? "read" : "refused"; } catch { results.frame = "refused"; }
        const form = document.createElement("form"); form.method = "post"; form.action = base + "decisions"; form.target = "target";
        for (const [name, value] of new URLSearchParams(fields)) { const i = document.createElement("input"); i.name = name; i.value = value; form.append(i); }
        document.body.append(form);
        await new Promise((done) => { frame.onload = done; setTimeout(done, 2000); form.submit(); });
        window.finished = results;
      })();
      </script></body>
      """
    try await HTTPServer.serving(attack) { port in
      for name in ["127.0.0.1", "localhost"] {
        let enemy = try await browser.tab()
        try await enemy.open("http://\(name):\(port)/")
        try await enemy.until("window.finished")
        let results = try await enemy.value("finished").objectValue ?? [:]
        for key in ["read", "post", "own header", "image", "script", "socket", "stream", "frame"] {
          #expect(results[key] == "refused", "\(name): \(key) \(results[key] ?? .null)")
        }
      }
    }
    let permissions = try await host("permissions", id, "--manifests", Build.samples)
    #expect(permissions.stdout.contains("undecided"), "\(permissions)")
    // The page itself goes on.
    try await own.until("document.title.startsWith('Today')")
    #expect(try await own.value("fetch(location.href).then(a => a.status)") == 200)
  }
}

extension HTTPServer {
  /// Serves one page at every path while the body runs.
  fileprivate static func serving(_ page: String, _ body: (Int) async throws -> Void) async throws {
    let server = HTTPServer { _ in ServerResponse(text: page, contentType: "text/html; charset=utf-8") }
    try await server.withRunning { try await body($0.port) }
  }
}
