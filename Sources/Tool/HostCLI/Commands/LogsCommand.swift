import CommandLineTool
import CommandRuntime
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import Glibc
import JSON

/// `host logs`: what an extension printed and logged, in this run and in those before.
enum LogsCommand: HostSubcommand {
  static let section = CommandSection.mend

  static let command = Command(
    "logs", summary: "Show what an extension printed",
    discussion: """
      What an extension writes to standard error, and what it logs, is kept for every run by this tool: the last 256 KiB at \
      least. Prints go there too: standard output belongs to the protocol. With --follow new lines are shown as they come, \
      until you press Ctrl-C.
      """,
    example: "host logs com.example.adventures.today --follow",
    options: [.flag("follow", "Show new lines as they come")],
    arguments: [CommandArgument("ID", "The extension", values: .identifier)]
  ).alsoTried(as: "log", "console")

  /// How often new lines are looked for.
  private static let interval = Duration.milliseconds(250)

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let id = invocation.parsed.arguments("ID").first ?? ""
    let log = ExtensionLog(try invocation.state())
    var lines = log.lines(of: id)
    if lines.isEmpty { _ = try invocation.registry().enabledExtension(id) }
    guard invocation.parsed.flag("follow") else {
      if invocation.wantsJSON {
        invocation.printJSON(.array(lines.map { .object(document($0)) }))
      } else if lines.isEmpty {
        invocation.console.note("\(id) has printed nothing yet.")
      }
      for line in lines where !invocation.wantsJSON { print(line, to: invocation) }
      return .success
    }
    return try await invocation.watching {
      show(lines, to: invocation)
      while true {
        try await invocation.loop.sleep(for: interval)
        let now = log.lines(of: id)
        show(news(in: now, since: lines), to: invocation)
        lines = now
      }
    }
  }

  /// The lines behind the last one that was shown. The first ones may have gone since.
  static func news(in now: [ExtensionLog.Line], since before: [ExtensionLog.Line]) -> ArraySlice<ExtensionLog.Line> {
    guard let last = before.last else { return now[...] }
    if now.count >= before.count, now[before.count - 1] == last { return now[before.count...] }
    guard let place = now.lastIndex(of: last) else { return now[...] }
    return now[(place + 1)...]
  }

  private static func show(_ lines: some Sequence<ExtensionLog.Line>, to invocation: Invocation) {
    for line in lines {
      if invocation.wantsJSON {
        invocation.printJSONLine(.object(document(line)))
      } else {
        print(line, to: invocation)
      }
    }
  }

  private static func print(_ line: ExtensionLog.Line, to invocation: Invocation) {
    let console = invocation.console
    let level: ShownText = line.level == "print" ? "" : "\(line.level): "
    let time = console.terminal.styled("\(clock(line.time))", .dim)
    console.print("\(time)  \(level)\(ShownText(lines: console.withAuthorPaths(line.text)))")
  }

  private static func document(_ line: ExtensionLog.Line) -> JSONObject {
    ["time": .double(line.time), "level": .string(line.level), "text": .string(line.text)]
  }

  /// Local time of day.
  private static func clock(_ seconds: Double) -> String {
    var whole = time_t(seconds)
    var parts = tm()
    localtime_r(&whole, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
  }
}
