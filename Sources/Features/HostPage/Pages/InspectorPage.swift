import ExtensionHosting
import ExtensionProtocol
import HTML
import JSON

/// The messages between the host and its extensions, the last ones first, with how long each call took.
struct InspectorPage: PagePart {
  let name = "inspector"
  let title = "Inspector"
  let topics = ["messages"]
  let host: ExtensionHost
  let recorder: FrameRecorder

  /// The messages that are looked at, and those that are shown.
  private static let (read, shown) = (2_000, 150)

  /// Messages may come by the thousand: the page follows four times a second.
  func run(_ feed: PageFeed) async {
    let (changes, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    recorder.whenChanged { signal.yield() }
    for await _ in changes {
      feed.touch("messages")
      do { try await Task.sleep(for: .milliseconds(250)) } catch { return }
    }
  }

  func content(_ request: PageRequest) -> HTML {
    if let number = request.query["message"].flatMap({ Int($0) }) { return detail(number, request.formKey) }
    let (text, identifier) = (request.query["find"] ?? "", request.query["id"] ?? "")
    let until = request.query["until"].flatMap { Int($0) }
    let (lines, first) = recorder.last(Self.read)
    let log = MessageLog(lines, first: first)
    let found = log.entries.filter { entry in
      (until.map { entry.message.number <= $0 } ?? true)
        && (identifier.isEmpty || entry.message.identifier == identifier)
        && (text.isEmpty || entry.method.contains(text))
    }
    let last = log.entries.last?.message.number
    return """
      \(form(text, identifier, until: until, last: last, among: log))\(table(found.suffix(Self.shown).reversed()))\
      \(plot(of: identifier))
      """
  }

  private func form(_ text: String, _ identifier: String, until: Int?, last: Int?, among log: MessageLog) -> HTML {
    let ids = Set(log.entries.map(\.message.identifier)).union(identifier.isEmpty ? [] : [identifier]).sorted()
    let options: [HTML] = ids.map { id in
      let chosen: HTML = id == identifier ? " selected" : ""
      return "<option value=\"\(id)\"\(chosen)>\(id)</option>"
    }
    let values = "find=\(PageAddress.encoded(text))&id=\(PageAddress.encoded(identifier))"
    let stop: HTML
    if until != nil {
      stop = "<a class=\"button\" href=\"inspector?\(values)\">Go on</a>"
    } else if let last {
      stop = "<a class=\"button\" href=\"inspector?\(values)&amp;until=\(last)\">Pause</a>"
    } else {
      stop = .empty
    }
    return """
      <form method="get" class="find"><label for="find">Method</label> \
      <input id="find" name="find" type="search" value="\(text)" size="18"> <label for="id">Extension</label> \
      <select id="id" name="id"><option value="">all</option>\(options)</select><button>Filter</button>\
      <span data-key="pause">\(stop)</span></form>
      """
  }

  private func table(_ entries: ReversedCollection<ArraySlice<MessageLog.Entry>>) -> HTML {
    guard !entries.isEmpty else {
      return
        "<div data-key=\"messages\">\(Shown.nothing("No message. Those of this host appear here as they are sent."))</div>"
    }
    let longest = entries.compactMap(\.duration).max() ?? 0
    let rows: [HTML] = entries.map { row($0, longest: longest) }
    return """
      <table class="list messages" data-key="messages"><thead><tr><th scope="col" class="number">Seconds</th><th scope="col">Message</th>\
      <th scope="col">Extension</th><th scope="col" class="number">Took</th><th scope="col"></th></tr></thead>\
      <tbody>\(rows)</tbody></table>
      """
  }

  private func row(_ entry: MessageLog.Entry, longest: Double) -> HTML {
    let message = entry.message
    let arrow: HTML =
      message.isFromHost ? "<span title=\"to the extension\">→</span>" : "<span title=\"to the host\">←</span>"
    let kind: HTML
    if message.isAnswer {
      kind = message.isError ? "<span class=\"tag bad\">error</span>" : "<span class=\"tag good\">answer</span>"
    } else {
      kind = message.id == nil ? "<span class=\"tag\">notification</span>" : .empty
    }
    let took: HTML? = message.isAnswer ? entry.duration.map { "\(Self.text($0))" } : nil
    let part = longest > 0 ? (entry.duration ?? 0) / longest : 0
    let bar: HTML? =
      took == nil
      ? nil
      : "<svg class=\"plot bar-only\" viewBox=\"0 0 100 8\" aria-hidden=\"true\"><rect class=\"bar\" width=\"\(max(1, Int(part * 100)))\" height=\"8\" rx=\"2\"/></svg>"
    return """
      <tr><td class="number">\(Self.seconds(message.time))</td><th scope="row">\(arrow) <a id="m-\(message.number)" href="inspector?message=\(message.number)">\
      <code>\(foreign: entry.method, most: 80)</code></a> \(kind)</th><td><code>\(foreign: message.identifier, most: 80)</code></td>\
      <td class="number">\(took)</td><td>\(bar)</td></tr>
      """
  }

  /// Seconds with three digits after the point.
  private static func seconds(_ time: Double) -> String {
    guard time.isFinite, (0...1e9).contains(time) else { return "?" }
    let thousandths = Int((time * 1_000).rounded())
    let rest = String(thousandths % 1_000)
    return "\(thousandths / 1_000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }

  private static func text(_ seconds: Double) -> String {
    LatencyPlot.text(Int64(min(max(seconds, 0), 1e9) * 1e9))
  }

  private func plot(of identifier: String) -> HTML {
    guard !identifier.isEmpty else { return .empty }
    let statistics = StatisticsStore(host.configuration.state, log: host.configuration.log).statistics(of: identifier)
    guard statistics.launches > 0 else { return .empty }
    let plot = LatencyPlot(title: "How long 99 of 100 calls took at most, over all runs", statistics)
    return "<section class=\"panel\" data-key=\"latencies\">\(plot.plot.html)</section>"
  }

  private func entry(_ number: Int) -> MessageLog.Entry? {
    let (lines, first) = recorder.last(Self.read)
    return MessageLog(lines, first: first).entries.first { $0.message.number == number }
  }

  private func detail(_ number: Int, _ formKey: String) -> HTML {
    guard let entry = entry(number) else {
      return
        "<div data-key=\"message\">\(Shown.nothing("This message is not kept any more."))<p><a href=\"inspector\">All messages</a></p></div>"
    }
    let message = entry.message
    let text = message.frame.map { JSONCoding.prettyText(of: $0) } ?? "It is no JSON."
    let took: HTML? = entry.duration.map { "<dt>Took</dt><dd>\(Self.text($0))</dd>" }
    let again: HTML? = message.request.map { request in
      Shown.button(
        "Call again", [("do", "again"), ("message", "\(number)")], about: "\(request.method) of \(message.identifier)",
        formKey: formKey)
    }
    return """
      <p><a href="inspector">All messages</a></p><section class="panel" data-key="message"><h2><code>\
      \(foreign: entry.method, most: 80)</code></h2><dl class="facts"><dt>From</dt><dd>\
      \(message.isFromHost ? "the host" : "the extension")</dd><dt>Extension</dt><dd><code>\(foreign: message.identifier)</code></dd>\
      <dt>After</dt><dd>\(Self.seconds(message.time)) s</dd>\(took)<dt>Size</dt><dd>\(message.size) bytes</dd></dl>\
      <pre tabindex="0" aria-label="The message">\(foreign: text, most: 60_000)</pre><div class="buttons">\(again)</div></section>
      """
  }

  /// Has the extension serve a request of the host's once more, in a process of its own.
  func act(_ request: PageRequest) async throws -> PageOutcome {
    guard request.form["do"] == "again", let number = request.form["message"].flatMap({ Int($0) }) else {
      return .missing
    }
    guard let message = entry(number)?.message, let call = message.request else {
      return .done("This message is not kept any more.")
    }
    let begin = ContinuousClock.now
    let result = try await host.withExtension(message.identifier) { process in
      try await process.call(call.method, params: call.params)
    }
    let took = (ContinuousClock.now - begin) / .seconds(1)
    return .show(
      """
      <p><a href="inspector">All messages</a></p><section class="panel" data-key="again"><h2><code>\(foreign: call.method, most: 80)\
      </code>, once more</h2><dl class="facts"><dt>Extension</dt><dd><code>\(foreign: message.identifier)</code></dd>\
      <dt>Took</dt><dd>\(Self.text(took)), with the start of the process</dd></dl><pre tabindex="0" aria-label="The result">\
      \(foreign: JSONCoding.prettyText(of: result), most: 60_000)</pre></section>
      """)
  }
}
