import ExtensionProtocol
import HTML
import HostPage
import SessionServices
import Transfers

/// The transfers in the background: bars, and what became of each.
struct SessionsPage: PagePart {
  let name = "sessions"
  let title = "Sessions"
  let topics = ["sessions"]
  let service: SessionService

  /// The most tasks of a session that are shown.
  private static let most = 100
  /// How often the transfers are looked at.
  private static let tick = Duration.milliseconds(500)

  func run(_ feed: PageFeed) async {
    var before: [TransferRecord] = []
    while !Task.isCancelled {
      try? await Task.sleep(for: Self.tick)
      guard feed.count > 0, let now = try? await tasks(), now != before else { continue }
      before = now
      feed.touch("sessions")
    }
  }

  private func tasks() async throws -> [TransferRecord] {
    var all: [TransferRecord] = []
    for session in try await service.sessions() { all += try await service.records(of: session.key) }
    return all
  }

  func content(_ request: PageRequest) async throws -> HTML {
    let sessions = try await service.sessions()
    guard !sessions.isEmpty else {
      return
        "<p class=\"nothing\">There are no transfers. Extensions begin them, and <code>host sessions download URL</code> does.</p>"
    }
    var sections: [HTML] = []
    for session in sessions {
      let tasks = try await service.records(of: session.key)
      let failures = try await service.failures(of: session.key)
      let rows: [HTML] = tasks.prefix(Self.most).map { row($0, failures[$0.id], request.formKey) }
      let rest: HTML? = tasks.count > rows.count ? "<p class=\"faint\">and \(tasks.count - rows.count) more</p>" : nil
      sections.append(
        """
        <section class="panel" data-key="session-\(session.key.description)"><h2>\(foreign: session.key.identifier, most: 120)</h2>\
        <p class="faint"><code>\(foreign: session.key.app)</code></p><ul class="permissions">\(rows)</ul>\(rest)</section>
        """)
    }
    return "<div class=\"stack\">\(sections)</div>"
  }

  private func row(_ task: TransferRecord, _ failure: TransferFailure?, _ formKey: String) -> HTML {
    let style: HTML
    switch task.state {
    case .completed: style = "good"
    case .failed, .cancelled: style = "bad"
    case .backingOff: style = "warn"
    case .waiting, .running: style = ""
    }
    let name = "task \(task.id)"
    let bar: HTML
    if let expected = task.bytesExpected, expected > 0 {
      bar = """
        <progress max="\(expected)" value="\(min(task.bytesDone, expected))" aria-label="\(name)"></progress> \
        <span class="faint">\(Self.size(task.bytesDone)) of \(Self.size(expected))</span>
        """
    } else {
      bar = "<span class=\"faint\">\(Self.size(task.bytesDone))</span>"
    }
    let why: HTML? = failure.map { "<p class=\"failure\">\(foreign: $0.description, most: 400)</p>" }
    let cancel: HTML? =
      task.state.isOver
      ? nil
      : """
      <form method="post"><input type="hidden" name="form" value="\(formKey)"><input type="hidden" name="do" value="cancel">\
      <input type="hidden" name="task" value="\(task.id)"><button id="cancel-\(task.id)" aria-label="Cancel \(name)">Cancel\
      </button></form>
      """
    return """
      <li><div><h3>\(task.kind.rawValue) <span class="tag \(style)">\(task.state.rawValue)</span></h3>\
      <p class="long"><code>\(foreign: task.request.url, most: 300)</code></p><p>\(bar)</p>\(why)</div>\
      <div class="buttons">\(cancel)</div></li>
      """
  }

  /// A size for people, such as `3.4 MB`.
  static func size(_ bytes: Int64) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB"]
    var (value, unit) = (Double(bytes), 0)
    // What is rounded up to a thousand is one of the next.
    while (value * 10).rounded() >= 10_000, unit < units.count - 1 { (value, unit) = (value / 1_000, unit + 1) }
    let tenths = Int((value * 10).rounded())
    return unit == 0 ? "\(bytes) bytes" : "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  /// The transfer that a form means; `nil` for a form that asks for something else.
  static func cancelled(in form: [String: String]) -> Int64? {
    form["do"] == "cancel" ? form["task"].flatMap { Int64($0) } : nil
  }

  func act(_ request: PageRequest) async throws -> PageOutcome {
    guard let id = Self.cancelled(in: request.form) else { return .missing }
    guard let task = try await tasks().first(where: { $0.id == id }) else {
      return .done("The transfer has ended already.")
    }
    try await service.cancel(task)
    return .done("Transfer \(id) is cancelled.")
  }
}
