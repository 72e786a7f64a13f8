import ExtensionProtocol
import HTML
import JSONRPC
import Testing

@testable import ExtensionHosting
@testable import HostPage

@Suite(.timeLimit(.minutes(1)))
struct `The page of messages` {
  private let stage: PageStage
  private let recorder = FrameRecorder(limit: 1 << 20, keepsNewest: true)
  private var page: InspectorPage { InspectorPage(host: stage.host, recorder: recorder) }

  init() throws { stage = try PageStage() }

  private func record(_ frame: String, from host: Bool = true, _ id: String = "a") {
    recorder.tap(id).see(host ? .outgoing : .incoming, Array(frame.utf8))
  }

  /// The numbers of the messages that the page shows, in its order.
  private func shown(_ query: String? = nil) -> [Int] {
    page.content(.testing(query: query)).text.matches(of: /id="m-(\d+)"/).compactMap { Int($0.output.1) }
  }

  @Test func `shows the newest first, of one extension, of one method, and until one`() {
    record(#"{"id":1,"method":"m/a"}"#)
    record(#"{"id":1,"result":0}"#, from: false)
    record(#"{"id":1,"method":"m/b"}"#, "b")
    record(#"{"id":2,"method":"m/ab"}"#)
    #expect(shown() == [3, 2, 1, 0])
    #expect(shown("id=a") == [3, 1, 0] && shown("id=b") == [2] && shown("id=c") == [])
    #expect(shown("find=m/a") == [3, 1, 0] && shown("find=b") == [3, 2] && shown("find=b&id=a") == [3])
    #expect(shown("until=2") == [2, 1, 0] && shown("until=0") == [0] && shown("until=x") == [3, 2, 1, 0])
    #expect(shown("until=1&id=a&find=") == [1, 0])
  }

  @Test func `pauses at the newest message, and goes on`() {
    #expect(!page.content(.testing()).text.contains("class=\"button\""))
    record(#"{"id":1,"method":"m/a"}"#)
    record(#"{"id":1,"method":"m/b"}"#, "b")
    let running = page.content(.testing(query: "find=a%26&id=a")).text
    #expect(
      running.contains("href=\"inspector?find=a%26&amp;id=a&amp;until=1\">Pause</a>") && !running.contains("Go on"))
    #expect(running.contains("<option value=\"a\" selected>a</option><option value=\"b\">b</option>"))
    let paused = page.content(.testing(query: "until=0")).text
    #expect(paused.contains("href=\"inspector?find=&amp;id=\">Go on</a>") && !paused.contains("Pause"))
    // The extension of a filter stays in the list without messages.
    #expect(page.content(.testing(query: "id=zz")).text.contains("<option value=\"zz\" selected>zz</option>"))
  }

  @Test func `shows a number of messages and no more`() {
    for number in 0..<152 { record(#"{"method":"m/\#(number)"}"#) }
    #expect(shown() == Array((2..<152).reversed()))
    #expect(shown("until=1") == [1, 0])
  }

  @Test func `tells requests, answers, errors and notifications apart`() {
    record(#"{"id":1,"method":"m/a"}"#)
    record(#"{"id":1,"result":0}"#, from: false)
    record(#"{"id":"x","method":"m/b"}"#, from: false)
    record(#"{"id":"x","error":{"code":1}}"#)
    record(#"{"method":"m/c"}"#)
    let rows = page.content(.testing()).text.split(separator: "<tr>").dropFirst(2).reversed().map(String.init)
    #expect(rows.count == 5)
    let tags = rows.map { $0.matches(of: /<span class="tag[^"]*">(\w+)<\/span>/).map { String($0.output.1) } }
    #expect(tags == [[], ["answer"], [], ["error"], ["notification"]])
    #expect(rows.map { $0.contains("title=\"to the extension\">→") } == [true, false, false, true, true])
    #expect(rows.map { $0.contains("title=\"to the host\">←") } == [false, true, true, false, false])
    // Only an answer shows how long it took.
    #expect(rows.map { $0.contains("<svg") } == [false, true, false, true, false])
    #expect(rows[1].contains("<code><bdi>m/a</bdi></code>") && rows[3].contains("<code><bdi>m/b</bdi></code>"))
  }

  @Test func `shows one message whole, and offers what the host asked once more`() {
    record(#"{"id":1,"method":"m/a","params":{"x":1}}"#)
    record(#"{"id":1,"result":0}"#, from: false)
    record("no json")
    let request = page.content(.testing(query: "message=0")).text
    #expect(request.contains("<dt>From</dt><dd>the host</dd>") && request.contains("<dt>Took</dt>"))
    #expect(request.contains("aria-label=\"Call again: m/a of a\"") && request.contains("&quot;x&quot;"))
    let answer = page.content(.testing(query: "message=1")).text
    #expect(answer.contains("<dt>From</dt><dd>the extension</dd>") && !answer.contains("Call again"))
    let other = page.content(.testing(query: "message=2")).text
    #expect(other.contains("<bdi>It is no JSON.</bdi>") && !other.contains("<dt>Took</dt>"))
    for number in ["3", "-1"] {
      #expect(page.content(.testing(query: "message=\(number)")).text.contains("This message is not kept any more."))
    }
  }

  @Test func `calls nothing that is gone, or that no user may call`() async throws {
    record(#"{"id":1,"method":"initialize"}"#)
    for form in [["do": "again", "message": "0"], ["do": "again", "message": "1"]] {
      #expect(try await page.act(.testing(form: form)).words == "This message is not kept any more.")
    }
    for form in [["do": "again"], ["do": "again", "message": "x"], ["do": "other", "message": "0"]] {
      #expect(try await page.act(.testing(form: form)).words == "missing", "\(form)")
    }
  }

  @Test func `calls an extension once more as long as there is one`() async throws {
    record(#"{"id":1,"method":"m/a"}"#, PageStage.widget)
    record(#"{"id":1,"method":"m/a"}"#)
    // The host of this test starts none.
    for (message, text) in [("0", "no extensions for today"), ("1", "“a”")] {
      let error = await #expect(throws: ExtensionError.self) {
        _ = try await page.act(.testing(form: ["do": "again", "message": message]))
      }
      #expect(error?.message.contains(text) == true, "\(error as Any)")
    }
  }

  @Test func `says that there is nothing yet`() {
    let html = page.content(.testing()).text
    #expect(html.contains("No message. Those of this host appear here as they are sent."))
    #expect(!html.contains("<table"))
  }

  @Test func `has the times of one extension beside its messages`() async throws {
    var counted = ExtensionStatistics()
    try await StatisticsStore(stage.state).add(counted, to: "a")
    #expect(!page.content(.testing(query: "id=a")).text.contains("data-key=\"latencies\""))
    counted.launches = 1
    try await StatisticsStore(stage.state).add(counted, to: "a")
    #expect(page.content(.testing(query: "id=a")).text.contains("data-key=\"latencies\""))
    for query in ["id=b", "id=", "find=a"] {
      #expect(!page.content(.testing(query: query)).text.contains("data-key=\"latencies\""), "\(query)")
    }
  }
}
