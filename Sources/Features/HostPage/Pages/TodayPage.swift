import ExtensionHosting
import ExtensionProtocol
import HTML
import HostServices

/// The Today widgets as cards: the last view of each at once, and each new one when it comes.
struct TodayPage: PagePart {
  let name = "today"
  let title = "Today"
  let topics = ["today"]
  let host: ExtensionHost
  let desk: TodayDesk

  func content(_ request: PageRequest) async -> HTML {
    await desk.look()
    let entries = desk.entries
    guard !entries.isEmpty else {
      return Shown.nothing("There is no Today widget yet. <code>host add BUNDLE</code> adds a bundle with one.")
    }
    var cards: [HTML] = []
    for entry in entries { cards.append(await card(entry, request.formKey)) }
    return "<div class=\"cards\">\(cards)</div>"
  }

  private func card(_ entry: RegistryEntry, _ formKey: String) async -> HTML {
    let id = entry.identifier
    let (state, isExpanded) = (await desk.state(of: id), await desk.isExpanded(id))
    return WidgetCard(
      entry: entry, state: state, isExpanded: isExpanded, canExpand: desk.canExpand(id), formKey: formKey
    ).html
  }

  // MARK: Forms

  func act(_ request: PageRequest) async throws -> PageOutcome {
    guard let id = request.form["id"] else { return .missing }
    let entry = try host.registry.enabledExtension(id)
    switch request.form["do"] {
    case "update":
      await desk.update(id, .visible)
      return .done("\(entry.displayName) is brought up to date.")
    case "expand", "shrink":
      await desk.setExpanded(request.form["do"] == "expand", id)
      return .done("")
    case "act": return try await act(entry, request)
    case "ask": return .show(try question(entry, request))
    case "open": return try await open(entry, request)
    default: return .missing
    }
  }

  private func row(_ entry: RegistryEntry, _ request: PageRequest) async throws -> (Int, WidgetView.Row) {
    let rows = await desk.state(of: entry.identifier).snapshot?.view.rows ?? []
    guard let index = request.form["row"].flatMap({ Int($0) }), rows.indices.contains(index) else {
      throw ExtensionError(
        .invalidParams, "\(entry.displayName) has no such row any more.", recovery: "Look at the page again.")
    }
    return (index, rows[index])
  }

  private func act(_ entry: RegistryEntry, _ request: PageRequest) async throws -> PageOutcome {
    let (index, row) = try await row(entry, request)
    // What the user saw is what is done: the view may be another one by now.
    guard let action = row.action, action == request.form["action"] else {
      throw ExtensionError(
        .invalidParams, "\(entry.displayName) shows something else by now.", recovery: "Look at the page again.")
    }
    let state = await desk.select(index, action: action, of: entry.identifier)
    if let error = state.error { throw error }
    guard state.outcome != .failed else {
      throw ExtensionError(.handlerFailed, "\(entry.displayName) reports that its task failed.")
    }
    return .done("\(entry.displayName): done.")
  }

  /// A URL of a widget is opened only after the user has seen it whole.
  private func question(_ entry: RegistryEntry, _ request: PageRequest) throws -> HTML {
    let url = request.form["url"] ?? ""
    let app = entry.containingApp ?? "its app"
    let fields = [("do", "open"), ("id", entry.identifier), ("url", url)]
    return """
      <section class="panel"><h2>Open this in its app?</h2><p>\(foreign: entry.displayName, most: 60) wants to open:</p>
      <p><code class="long">\(foreign: url, most: 2_000)</code></p><p>The app <code>\(foreign: app)</code> gets it.</p>
      <div class="buttons">\(Shown.button("Open", fields, about: url, formKey: request.formKey, style: "primary")) \
      <a class="button" href="today">Do not open</a></div></section>
      """
  }

  private func open(_ entry: RegistryEntry, _ request: PageRequest) async throws -> PageOutcome {
    let url = request.form["url"] ?? ""
    guard let scheme = URLScheme.of(url), let app = host.registry.app(forScheme: scheme),
      app.identifier == entry.containingApp
    else {
      throw ExtensionError(
        .schemeUnregistered, "\(entry.displayName) may open only URLs of its own app.",
        recovery: "Open this one with “host open-url”.")
    }
    let result = try await host.deliver(
      url, to: app.identifier, source: OpenURL.Deliver.Source(bundleID: entry.identifier, point: entry.point))
    let text: HTML = result.presentation.map { "<pre>\(foreign: $0, most: 20_000)</pre>" } ?? "<p>It was opened.</p>"
    let outcome: HTML = result.handled ? text : "<p>\(foreign: app.displayName) does not know this URL.</p>"
    return .show(
      """
      <section class="panel"><h2>\(foreign: app.displayName, most: 60)</h2><p><code class="long">\(foreign: url, most: 2_000)\
      </code></p>\(outcome)<p><a class="button" href="today">Back to Today</a></p></section>
      """)
  }
}
