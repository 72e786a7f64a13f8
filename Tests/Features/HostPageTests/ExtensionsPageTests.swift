import ExtensionProtocol
import Files
import HTML
import Testing

@testable import ExtensionHosting
@testable import HostPage

@Suite(.timeLimit(.minutes(1)))
struct `The page of extensions` {
  private let stage: PageStage
  private var page: ExtensionsPage { ExtensionsPage(host: stage.host) }
  private var health: HealthStore { HealthStore(stage.state) }

  init() throws { stage = try PageStage() }

  private func fail(
    _ kind: FailureKind = .crashed, executable: String? = nil,
    _ more: (inout HealthRecord.Failure) -> Void = { _ in }
  ) async throws {
    var failure = HealthRecord.Failure(time: 1_000, kind: kind, message: "It fell.")
    more(&failure)
    try await health.change(PageStage.widget) { $0.failed(failure, executable: executable) }
  }

  private func detail() throws -> String { try page.content(.testing(query: "id=\(PageStage.widget)")).text }

  @Test func `lists the app, then its extension, both ready`() throws {
    let html = try page.content(.testing()).text
    #expect(
      html.matches(of: /data-key="entry-([a-z.]+)" class="([a-z-]+)"/).map { "\($0.output.1) \($0.output.2)" }
        == ["\(PageStage.app) app", "\(PageStage.widget) of-app"])
    #expect(html.matches(of: /<span class="tag good">ready<\/span>/).count == 2 && page.count == 0)
    #expect(html.contains("<td>app</td>") && html.contains("<td>today</td>") && html.contains("<td><bdi>7</bdi></td>"))
    let empty = try PageStage(hasApp: false)
    #expect(try ExtensionsPage(host: empty.host).content(.testing()).text.contains("No extension is installed."))
  }

  @Test func `marks what fails until a run ends well`() async throws {
    try await fail()
    #expect(page.count == 1)
    #expect(try page.content(.testing()).text.contains("<span class=\"tag warn\">failing</span>"))
    let html = try detail()
    #expect(html.contains("<h3>Why it failed</h3>") && html.contains("<bdi>It fell.</bdi>"))
    #expect(html.contains("<dt>Kind</dt><dd>crashed</dd>") && html.contains("<dt>Failures in a row</dt><dd>1</dd>"))
    #expect(html.contains("aria-label=\"Reset: Clock\"") && html.contains("aria-label=\"Restart: Clock\""))
    try await health.change(PageStage.widget) { $0.succeeded(now: 1_001, executable: nil) }
    #expect(page.count == 0)
    let later = try detail()
    #expect(later.contains("<h3>The last failure, since when it ran well</h3>"))
    #expect(!later.contains("Failures in a row") && !later.contains("Reset: Clock") && later.contains("Restart: Clock"))
  }

  @Test func `says of a failure what is known, and no more`() async throws {
    try await fail { $0.standardError = (1...13).map { "line \($0)." } }
    let html = try detail()
    #expect(html.contains("<pre><bdi>line 2.</bdi>\n<bdi>line 3.</bdi>\n"))
    #expect(html.contains("<bdi>line 13.</bdi>\n</pre>") && !html.contains("line 1."))
    for words in ["<dt>The process</dt>", "<dt>Call</dt>", "<dt>Used</dt>", "class=\"help\""] {
      #expect(!html.contains(words), "\(words)")
    }
    try await fail(.deadline) {
      ($0.reason, $0.method, $0.recovery) = ("was killed", "widget/performUpdate", "Look at it.")
    }
    let next = try detail()
    #expect(next.contains("<dt>The process</dt><dd><bdi>was killed</bdi></dd>"))
    #expect(next.contains("<dt>Call</dt><dd><code><bdi>widget/performUpdate</bdi></code></dd>"))
    #expect(next.contains("<p class=\"help\"><bdi>Look at it.</bdi></p>"))
    #expect(next.contains("<dt>Kind</dt><dd>deadline</dd>"))
    #expect(!next.contains("standard error"))
  }

  @Test func `lets what is disabled start again`() async throws {
    for _ in 0..<5 { try await fail() }
    // The failures are of no file, and the widget has one: for it the quarantine does not count.
    #expect(page.count == 1)
    #expect(try page.content(.testing()).text.contains("<span class=\"tag warn\">failing</span>"))
    #expect(try detail().contains("“Reset” lets it start again.</p>"))
    let note = try await page.act(.testing(form: ["do": "reset", "id": PageStage.widget])).words
    #expect(note == "Clock may start again.")
    let record = health.record(of: PageStage.widget)
    #expect(record.quarantine == nil && record.consecutive == 0 && record.generation == 1)
    #expect(try !detail().contains("Reset: Clock") && !detail().contains("“Reset” lets"))
  }

  @Test func `calls disabled what failed five times as the file that it is now`() async throws {
    let path = try #require(stage.host.registry.entry(PageStage.widget)?.executablePath)
    let stamp = try #require(FileStamp(path)?.text)
    for count in 1...5 {
      #expect(page.count == (count > 1 ? 1 : 0))
      try await fail(executable: stamp)
      let tag = count < 5 ? "<span class=\"tag warn\">failing</span>" : "<span class=\"tag bad\">disabled</span>"
      #expect(try page.content(.testing()).text.contains(tag), "\(count)")
      #expect(try detail().contains("<dt>State</dt><dd>\(tag)</dd>"))
    }
  }

  @Test func `restarts and leaves a quarantine as it is`() async throws {
    for _ in 0..<5 { try await fail() }
    let note = try await page.act(.testing(form: ["do": "restart", "id": PageStage.widget])).words
    #expect(note == "Clock: its processes end within a second; the next start is a new one.")
    let record = health.record(of: PageStage.widget)
    #expect(record.quarantine != nil && record.consecutive == 0 && record.generation == 1)
    for form in [["do": "restart"], ["do": "restart", "id": "none"], ["do": "stop", "id": PageStage.widget]] {
      #expect(try await page.act(.testing(form: form)).words == "missing", "\(form)")
    }
    #expect(health.record(of: PageStage.widget).generation == 1)
  }

  @Test func `shows what an extension that is gone left behind, and nothing of one that never was`() async throws {
    #expect(throws: ExtensionError(.extensionUnknown, "")) { try page.content(.testing(query: "id=org.example.none")) }
    let failure = HealthRecord.Failure(time: 1_000, kind: .crashed, message: "It fell.")
    try await health.change("org.example.none") { $0.failed(failure, executable: nil) }
    let html = try page.content(.testing(query: "id=org.example.none")).text
    #expect(html.contains("<dt>State</dt><dd>It is not installed any more.</dd>") && html.contains("It fell."))
    #expect(!html.contains("class=\"buttons\""))
    let app = try page.content(.testing(query: "id=\(PageStage.app)")).text
    #expect(!app.contains("class=\"buttons\"") && app.contains("<dt>State</dt><dd>ready</dd>"))
    let widget = try detail()
    #expect(widget.contains("<dt>App</dt><dd><code><bdi>\(PageStage.app)</bdi></code></dd>"))
    #expect(widget.contains("<dt>Point</dt><dd>today</dd>"))
  }

  @Test func `shows what was counted, once something was started`() async throws {
    let id = PageStage.widget
    #expect(try !detail().contains("<h2>Calls</h2>") && !detail().contains("Memory and processor time"))
    var counted = ExtensionStatistics()
    counted.launches = 1
    counted.failures = 2
    counted.launch.add(nanoseconds: 3_000_000)
    try await StatisticsStore(stage.state).add(counted, to: id)
    let html = try detail()
    #expect(html.contains("<p>1 launch, 2 failures.</p>") && !html.contains("Memory and processor time"))
    counted.warm = 1
    counted.runs = [
      .init(ended: 0, peakMemory: 1 << 20, processorTime: 5), .init(ended: 60, peakMemory: 0, processorTime: 0),
    ]
    try await StatisticsStore(stage.state).add(counted, to: id)
    let more = try detail()
    #expect(more.contains("<p>2 launches, 4 failures, 1 request served by kept processes.</p>"))
    #expect(more.contains("Of the last 2 processes, the newest on the right."))
    #expect(
      more.matches(of: /<th scope="row">(19[^<]*)</).map { String($0.output.1.prefix(16)) }
        == ["1970-01-01T00:01", "1970-01-01T00:00"])
  }
}
