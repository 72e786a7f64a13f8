import ExtensionHosting
import ExtensionProtocol
import HTML
import Time

/// Every app and extension: its state, why it failed, and what can be done about it.
struct ExtensionsPage: PagePart {
  let name = "extensions"
  let title = "Extensions"
  let topics = ["extensions"]
  let host: ExtensionHost

  /// The extensions that failed, or cannot be used.
  var count: Int { host.registry.entries.count { fault(of: $0) != nil } }

  private var health: HealthStore { HealthStore(host.configuration.state, log: host.configuration.log) }
  private var statistics: StatisticsStore { StatisticsStore(host.configuration.state, log: host.configuration.log) }

  private func fault(of entry: RegistryEntry) -> HTML? {
    guard entry.isEnabled else {
      return entry.state == .ignored ? nil : "<span class=\"tag bad\">\(entry.state.name)</span>"
    }
    let record = health.record(of: entry.identifier)
    if record.quarantine(ofExecutable: entry.executablePath) != nil { return "<span class=\"tag bad\">disabled</span>" }
    return record.isFailing ? "<span class=\"tag warn\">failing</span>" : nil
  }

  // MARK: Content

  func content(_ request: PageRequest) throws -> HTML {
    if let id = request.query["id"] { return try detail(of: id, request) }
    let entries = ordered(host.registry.entries)
    guard !entries.isEmpty else {
      return Shown.nothing("No extension is installed. <code>host add BUNDLE</code> adds a bundle.")
    }
    let rows: [HTML] = entries.map { entry in
      let state =
        fault(of: entry)
        ?? (entry.isEnabled
          ? "<span class=\"tag good\">ready</span>" : "<span class=\"tag\">\(entry.state.name)</span>")
      let point: HTML = entry.isApp ? "app" : "\(entry.point.map(host.registry.points.shortName) ?? "unknown")"
      let address: HTML = "extensions?id=\(PageAddress.encoded(entry.identifier))"
      return """
        <tr data-key="entry-\(entry.identifier)" class="\(entry.isApp ? "app" : "of-app")"><th scope="row">\
        <a href="\(address)">\(foreign: entry.displayName, most: 60)</a><br><code>\(foreign: entry.identifier)</code></th>\
        <td>\(point)</td><td>\(foreign: entry.manifest?.shortVersion ?? entry.manifest?.version.text ?? "–", most: 30)</td>\
        <td>\(state)</td></tr>
        """
    }
    return """
      <table class="list"><thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col">Version</th>\
      <th scope="col">State</th></tr></thead><tbody>\(rows)</tbody></table>
      """
  }

  /// Each app, then its extensions.
  private func ordered(_ entries: [RegistryEntry]) -> [RegistryEntry] {
    func rank(_ entry: RegistryEntry) -> (String, Int, String) {
      (entry.containingApp ?? entry.identifier, entry.isApp ? 0 : 1, entry.identifier)
    }
    return entries.sorted { rank($0) < rank($1) }
  }

  private func detail(of id: String, _ request: PageRequest) throws -> HTML {
    let record = health.record(of: id)
    let entry = host.registry.entry(id)
    guard entry != nil || !record.failures.isEmpty else {
      _ = try host.registry.enabledExtension(id)
      return .empty
    }
    let buttons: HTML
    if let entry, !entry.isApp {
      let about = entry.displayName
      let isDisabled = record.quarantine(ofExecutable: entry.executablePath) != nil
      let reset: HTML? =
        isDisabled || record.consecutive > 0
        ? Shown.button(
          "Reset", [("do", "reset"), ("id", id)], about: about, formKey: request.formKey, style: "primary")
        : nil
      let restart = Shown.button("Restart", [("do", "restart"), ("id", id)], about: about, formKey: request.formKey)
      buttons = "<div class=\"buttons\">\(reset)\(restart)</div>"
    } else {
      buttons = .empty
    }
    return """
      <p><a href="extensions">All extensions</a></p><section data-key="detail" class="panel">\
      <h2>\(foreign: entry?.displayName ?? id, most: 60)</h2>\(facts(of: entry, id))\(reasons(of: entry))\
      \(failure(of: record))\(buttons)</section>\(calls(of: id))\(runs(of: id))
      """
  }

  private func facts(of entry: RegistryEntry?, _ id: String) -> HTML {
    var facts: [(HTML, HTML)] = [("Identifier", "<code>\(foreign: id)</code>")]
    if let entry {
      facts.append(("State", fault(of: entry) ?? "\(entry.isEnabled ? "ready" : entry.state.name)"))
      if let app = entry.containingApp { facts.append(("App", "<code>\(foreign: app)</code>")) }
      if let point = entry.point { facts.append(("Point", "\(host.registry.points.shortName(of: point))")) }
      facts.append(
        ("Bundle", "<code class=\"long\">\(foreign: entry.bundlePath ?? entry.manifestPath, most: 500)</code>"))
    } else {
      facts.append(("State", "It is not installed any more."))
    }
    let list: [HTML] = facts.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>" }
    return "<dl class=\"facts\">\(list)</dl>"
  }

  private func reasons(of entry: RegistryEntry?) -> HTML {
    guard let entry, !entry.isEnabled else { return .empty }
    let items: [HTML] = entry.reasons.prefix(20).map { "<li>\(foreign: $0, most: 500)</li>" }
    return "<h3>Why it cannot be used</h3><ul>\(items)</ul>"
  }

  private func failure(of record: HealthRecord) -> HTML {
    let quarantine: HTML? = record.quarantine.map {
      "<p>Disabled \(Shown.time($0.since)). \(foreign: $0.reason, most: 500) “Reset” lets it start again.</p>"
    }
    guard let last = record.lastFailure else { return "\(quarantine)" }
    let heading: HTML = record.isFailing ? "Why it failed" : "The last failure, since when it ran well"
    let recovery: HTML? = last.recovery.map { "<p class=\"help\">\(foreign: $0, most: 500)</p>" }
    let lines: [HTML] = last.standardError.suffix(12).map { "\(foreign: $0, most: 400)\n" }
    let errors: HTML? = lines.isEmpty ? nil : "<h4>The end of its standard error</h4><pre>\(lines)</pre>"
    var facts: [(HTML, HTML)] = [("Kind", "\(last.kind.rawValue)"), ("When", Shown.time(last.time))]
    if let reason = last.reason { facts.append(("The process", "\(foreign: reason)")) }
    if let method = last.method { facts.append(("Call", "<code>\(foreign: method)</code>")) }
    if let measure = last.measure { facts.append(("Used", "\(foreign: measure.description)")) }
    if record.consecutive > 0 { facts.append(("Failures in a row", "\(record.consecutive)")) }
    let list: [HTML] = facts.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>" }
    return """
      <h3>\(heading)</h3>\(quarantine)<p>\(foreign: last.message, most: 1_000)</p>\(recovery)<dl class="facts">\(list)</dl>\
      \(errors)
      """
  }

  /// What was counted of its calls, as bars.
  private func calls(of id: String) -> HTML {
    let statistics = statistics.statistics(of: id)
    guard statistics.launches > 0 else { return .empty }
    let plot = LatencyPlot(title: "How long 99 of 100 calls took at most", statistics)
    let warm: HTML? =
      statistics.warm > 0 ? ", \(Shown.count(statistics.warm, "request")) served by kept processes" : nil
    return """
      <section data-key="calls" class="panel"><h2>Calls</h2><p>\(Shown.count(statistics.launches, "launch", "launches")), \
      \(Shown.count(statistics.failures, "failure"))\(warm).</p>\(plot.plot.html)</section>
      """
  }

  /// What its last processes used, as columns and as a table.
  private func runs(of id: String) -> HTML {
    let runs = statistics.statistics(of: id).runs
    guard !runs.isEmpty else { return .empty }
    let plots = RunPlots(runs)
    let rows: [HTML] = runs.reversed().map { run in
      """
      <tr><th scope="row">\(UnixTime(seconds: Int64(run.ended)).text())</th><td class="number">\(RunPlots.memory(run))</td>\
      <td class="number">\(RunPlots.time(run))</td></tr>
      """
    }
    return """
      <section data-key="runs" class="panel"><h2>Memory and processor time</h2><p class="faint">Of the last \
      \(Shown.count(Int64(runs.count), "process", "processes")), the newest on the right.</p><div class="plots">\
      \(plots.memory.html)\(plots.time.html)</div><details><summary>As a table</summary><table class="list"><thead><tr>\
      <th scope="col">Ended</th><th scope="col" class="number">Peak memory</th><th scope="col" class="number">Processor time\
      </th></tr></thead><tbody>\(rows)</tbody></table></details></section>
      """
  }

  // MARK: Forms

  func act(_ request: PageRequest) async throws -> PageOutcome {
    guard let id = request.form["id"], let entry = host.registry.entry(id) else { return .missing }
    switch request.form["do"] {
    case "restart":
      try await host.restart(id)
      return .done("\(entry.displayName): its processes end within a second; the next start is a new one.")
    case "reset":
      try await host.reset(id)
      return .done("\(entry.displayName) may start again.")
    default: return .missing
    }
  }
}
