import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import HTML
import JSON

/// `host stats`: how often extensions were started, how often they failed, and how long their calls took.
enum StatsCommand: HostSubcommand {
  static let section = CommandSection.mend

  static let command = Command(
    "stats", summary: "Show launches, failures, and how long calls took",
    example: "host stats com.example.adventures.today",
    options: [
      .flag("prometheus", "Print the numbers in the text format of Prometheus"),
      .value("svg", "FILE", "Write the 99th percentiles as bars in a picture", values: .file),
    ],
    arguments: [CommandArgument("ID", "The extensions (default: all that have run)", .any, values: .identifier)])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let store = StatisticsStore(try invocation.state(), log: ConsoleLog(invocation.console))
    let names = invocation.parsed.arguments("ID")
    let known = store.identifiers
    for name in names where !known.contains(name) { _ = try invocation.registry().enabledExtension(name) }
    let ids = names.isEmpty ? known : names
    let all = ids.map { (id: $0, statistics: store.statistics(of: $0)) }
    if let path = invocation.parsed.value("svg") {
      try OutputFile.write(Array(picture(of: all).utf8), to: path)
      if !invocation.wantsJSON { invocation.console.note("Wrote \(path).") }
    }
    if invocation.parsed.flag("prometheus") {
      if invocation.wantsJSON {
        throw CommandLineError("--prometheus is a format, and so is --json.", help: "Leave one of them out.")
      }
      invocation.console.write(ShownText(lines: PrometheusText(all).text))
    } else if invocation.wantsJSON {
      invocation.printJSON(.array(all.map { .object(document($0.id, $0.statistics)) }))
    } else if all.isEmpty {
      invocation.console.note("Nothing was counted yet. Run an extension first.")
    } else {
      for (index, one) in all.enumerated() {
        if index > 0 { invocation.console.print() }
        print(one.id, one.statistics, to: invocation.console)
      }
    }
    return .success
  }

  /// The 99th percentile of each row, the extensions one after the other.
  private static func picture(of all: [(id: String, statistics: ExtensionStatistics)]) -> String {
    let bars = all.flatMap { one in
      rows(of: one.statistics).compactMap { row -> BarPlot.Bar? in
        guard let time = row.latency.quantile(0.99) else { return nil }
        let name = one.id.split(separator: ".").last.map(String.init) ?? one.id
        return BarPlot.Bar(label: "\(name) \(row.name)", value: Double(time), caption: text(time))
      }
    }
    return BarPlot(title: "How long 99 of 100 launches and calls took at most", bars: bars).document
  }

  private static func print(_ id: String, _ statistics: ExtensionStatistics, to console: Console) {
    func counted(_ count: Int64, _ one: String, _ more: String) -> ShownText { "\(count) \(count == 1 ? one : more)" }
    let (launches, failures) = (statistics.launches, statistics.failures)
    let warm: ShownText =
      statistics.warm > 0 ? ", \(counted(statistics.warm, "request", "requests")) served by kept processes" : ""
    let counts: ShownText =
      "\(counted(launches, "launch", "launches")), \(counted(failures, "failure", "failures"))\(warm)"
    console.print("\(id): \(counts)")
    var table = TextTable([
      .init("  WHAT"), .init("COUNT", .right), .init("ERRORS", .right), .init("P50", .right), .init("P90", .right),
      .init("P99", .right), .init("LONGEST", .right),
    ])
    for row in rows(of: statistics) {
      let histogram = row.latency
      let times = [0.5, 0.9, 0.99].map { histogram.quantile($0).map(text) ?? "-" } + [text(histogram.longest)]
      let cells = ["  \(row.name)", "\(histogram.count)", "\(row.errors)"] + times
      table.add(cells.map { .init($0) })
    }
    console.print(table)
    if let runs = runs(of: statistics) { console.print("  \(runs)") }
  }

  /// What the last processes used, in one sentence; `nil` when none was measured.
  private static func runs(of statistics: ExtensionStatistics) -> ShownText? {
    let (memory, times) = (statistics.runs.map(\.peakMemory), statistics.runs.map(\.processorNanoseconds))
    guard let most = memory.max(), let least = memory.min(), let longest = times.max(), let shortest = times.min()
    else {
      return nil
    }
    func bytes(_ count: Int64) -> String { ByteText.of(UInt64(clamping: count)) }
    let measured: ShownText = memory.count == 1 ? "the last process" : "the last \(memory.count) processes"
    let ranges: ShownText = "\(bytes(least)) to \(bytes(most)), processor time \(text(shortest)) to \(text(longest))"
    return "\(measured): memory \(ranges)"
  }

  private struct Row {
    var name: String
    var latency: LatencyHistogram
    var errors: Int64
  }

  private static func rows(of statistics: ExtensionStatistics) -> [Row] {
    var rows: [Row] = []
    if statistics.launch.count > 0 { rows.append(Row(name: "launch to ready", latency: statistics.launch, errors: 0)) }
    for (arrow, methods) in [("→", statistics.calls), ("←", statistics.served)] {
      for name in methods.keys.sorted() {
        guard let method = methods[name] else { continue }
        rows.append(Row(name: "\(arrow) \(name)", latency: method.latency, errors: method.errors))
      }
    }
    return rows
  }

  /// A time with its unit, three digits.
  private static func text(_ nanoseconds: Int64) -> String {
    let units: [(Double, String)] = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")]
    let value = Double(nanoseconds)
    let (divisor, name) = units.first { value >= $0.0 } ?? (1e3, "µs")
    let number = value / divisor
    let digits = number < 10 ? 100.0 : number < 100 ? 10 : 1
    let rounded = (number * digits).rounded() / digits
    return rounded == rounded.rounded() ? "\(Int(rounded)) \(name)" : "\(rounded) \(name)"
  }

  /// `{id, launches, failures, warm, launch{…}, calls{method{…}}, served{method{…}}, runs[{…}]}`, times in microseconds.
  private static func document(_ id: String, _ statistics: ExtensionStatistics) -> JSONObject {
    func times(_ latency: LatencyHistogram, errors: Int64?) -> JSONValue {
      var object: JSONObject = ["count": .integer(latency.count)]
      if let errors { object["errors"] = .integer(errors) }
      for (name, part) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)] {
        object["\(name)Microseconds"] = latency.quantile(part).map { .double(Double($0) / 1000) } ?? .null
      }
      object["maxMicroseconds"] = latency.count > 0 ? .double(Double(latency.longest) / 1000) : .null
      return .object(object)
    }
    func methods(_ methods: [String: ExtensionStatistics.Method]) -> JSONValue {
      var object = JSONObject()
      for name in methods.keys.sorted() {
        if let method = methods[name] { object[name] = times(method.latency, errors: method.errors) }
      }
      return .object(object)
    }
    var object: JSONObject = ["id": .string(id), "launches": .integer(statistics.launches)]
    object["failures"] = .integer(statistics.failures)
    object["warm"] = .integer(statistics.warm)
    object["launch"] = times(statistics.launch, errors: nil)
    object["calls"] = methods(statistics.calls)
    object["served"] = methods(statistics.served)
    object["runs"] = .array(
      statistics.runs.map { run in
        [
          "ended": .double(run.ended), "peakMemoryBytes": .integer(run.peakMemory),
          "processorMicroseconds": .integer(run.processorTime),
        ]
      })
    return object
  }
}
