import Foundation
import JSON
import Testing

/// The pages about servers: who is signed in, and what an emulator holds.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `The page about a server` {
  private func opened(_ host: HostTool, _ part: String) async throws -> (PageTool, Browser, Tab) {
    let page = try await PageTool(host, manifests: [PageTool.manifests(in: host.folder)])
    let browser = try Browser()
    let tab = try await browser.tab()
    try await page.enter(tab)
    try await page.go(to: part, in: tab)
    return (page, browser, tab)
  }

  private func content(has text: String) -> String {
    "document.getElementById('content').innerText.includes(\(JSONValue.string(text)))"
  }

  @Test func `of accounts shows who is signed in, and signs out`() async throws {
    let stage = try await AuthStage()
    let (page, browser, tab) = try await opened(stage.host, "accounts")
    try await tab.until(content(has: "Nobody is signed in"))
    try await stage.signIn()
    try await tab.until(content(has: AuthStage.rider))
    #expect(try await tab.value(content(has: "signed in")) == true)
    try await tab.picture("accounts")
    try await tab.click("[data-key=accounts] form button")
    try await tab.until("document.getElementById('note').innerText.includes('is signed out')")
    try await tab.until(content(has: "Nobody is signed in"))
    let list = try await stage.auth("accounts --json")
    #expect(try JSONValue(parsing: list.stdout)["accounts"] == [], "\(list)")
    #expect(browser.complaints == [])
    _ = page
  }

  @Test func `of data shows tables and rows, and runs an operation with its variables`() async throws {
    let stage = try await EmulatorStage("--ephemeral")
    let seeded = try await stage.data("execute seed.gql Seed")
    #expect(seeded.status == 0, "\(seeded)")
    for number in 0..<60 {
      let made = try await stage.execute(
        "mutation($t: String!) { movie_insert(data: {title: $t, genre: \"test\", imageUrl: \"\"}) }",
        ["t": .string("Movie <b>\(number)</b>")])
      #expect(made["errors"] == nil, "\(made)")
    }
    let (page, browser, tab) = try await opened(stage.host, "data")
    try await tab.click("a[href='data?table=movie']")
    try await tab.until(content(has: "Rows 1 to 50"))
    #expect(try await tab.value(content(has: "Movie <b>7</b>")) == true)
    try await tab.click("a[href='data?table=movie&from=50']")
    try await tab.until(content(has: "Rows 51 to 62"))
    #expect(try await tab.value("document.querySelectorAll('td b').length") == 0)
    #expect(try await tab.value("document.querySelector(\"a[href='data?table=movie&from=100']\") == null") == true)
    try await tab.picture("data")
    // No further than a million rows; what is before the first is the first.
    try await tab.value("location.href = 'data?table=movie&from=2000000'; 1")
    try await tab.until(content(has: "No rows any more."))
    #expect(try await tab.value("document.querySelector(\"a[href='data?table=movie&from=999950']\") != null") == true)
    try await tab.value("location.href = 'data?table=movie&from=-7'; 1")
    try await tab.until(content(has: "Rows 1 to 50"))
    #expect(try await tab.value("document.getElementById('content').innerText.includes('Rows before')") == false)
    func run(_ text: String, _ variables: String, writes: Bool) async throws {
      try await tab.value(
        """
        (() => { const set = (id, text) => document.getElementById(id).value = text;
        set('operation', \(JSONValue.string(text))); set('variables', \(JSONValue.string(variables)));
        document.querySelector('[name=writes]').checked = \(writes); return 1; })()
        """)
      try await tab.click("#run")
    }
    let change = "mutation($old: String!) { movie_updateMany(where: {title: {eq: $old}}, data: {title: \"Cold\"}) }"
    try await run(
      "query($t: String!) { movies(where: {title: {eq: $t}}) { title genre } }", #"{"t": "Heat"}"#, writes: false)
    try await tab.until(content(has: "\"crime\""))
    let sql = try await tab.value("document.querySelector('pre.sql').innerText").stringValue ?? ""
    #expect(sql.contains("SELECT") && sql.contains("$1") && !sql.contains("Heat"), "\(sql)")
    try await tab.picture("data-answer")
    // Somebody who comes back to the page finds the answer, whatever is new by then.
    try await tab.value(
      """
      (() => { const ask = window.fetch; window.news = 0;
      window.fetch = async (...words) => { const answer = await ask(...words); const read = answer.text.bind(answer);
      answer.text = async () => { const text = await read(); setTimeout(() => window.news += 1); return text; };
      return answer; };
      document.dispatchEvent(new Event('visibilitychange')); return 1; })()
      """)
    try await tab.until("window.news > 0")
    #expect(try await tab.value(content(has: "\"crime\"")) == true)
    try await run(change, #"{"old": "Heat"}"#, writes: false)
    try await tab.until("document.getElementById('note').innerText.includes('Only queries are executed here')")
    #expect(
      try await stage.execute("{ movies(where: {title: {eq: \"Heat\"}}) { title } }")["data"]?["movies"]?[0] != nil)
    try await run(change, #"{"old": "Heat"}"#, writes: true)
    try await tab.until(content(has: "movie_updateMany"))
    #expect(
      try await stage.execute("{ movies(where: {title: {eq: \"Cold\"}}) { title } }")["data"]?["movies"]?[0] != nil)
    try await run("{ movies { title } }", "[1", writes: false)
    try await tab.until("document.getElementById('note').innerText.includes('The variables are not JSON')")
    // The browser itself notes each refusal.
    #expect(browser.complaints.allSatisfy { $0.contains("status of 422") }, "\(browser.complaints)")
    _ = page
    try await stage.end()
  }

  @Test func `of data says how an emulator is started`() async throws {
    let (page, _, tab) = try await opened(try HostTool(), "data")
    try await tab.until(content(has: "host data emulate"))
    _ = page
  }
}
