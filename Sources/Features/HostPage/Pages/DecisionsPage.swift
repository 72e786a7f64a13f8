import ExtensionHosting
import ExtensionProtocol
import HTML

/// What extensions ask for, and what the user has decided.
struct DecisionsPage: PagePart {
  let name = "decisions"
  let title = "Decisions"
  let topics = ["decisions", "extensions"]
  let host: ExtensionHost
  let questions: PageQuestions

  /// The questions that wait.
  var count: Int { questions.count }

  private var authority: PermissionAuthority { host.configuration.permissions }

  func content(_ request: PageRequest) throws -> HTML {
    let registry = host.registry
    let entries = registry.entries.filter { $0.manifest != nil && registry.entry($0.identifier) == $0 }
    var cards: [HTML] = []
    for entry in entries {
      let asked = try authority.asked(by: entry, in: registry)
      if !asked.isEmpty { cards.append(card(entry, asked, request.formKey)) }
    }
    guard !cards.isEmpty else { return Shown.nothing("No extension asks for anything.") }
    return "<div class=\"stack\">\(cards)</div>"
  }

  private func card(_ entry: RegistryEntry, _ asked: [AskedPermission], _ formKey: String) -> HTML {
    let rows: [HTML] = asked.map { row($0, entry, formKey) }
    return """
      <section class="panel" data-key="asked-\(entry.identifier)"><h2>\(foreign: entry.displayName, most: 60)</h2>\
      <p class="faint"><code>\(foreign: entry.identifier)</code></p><ul class="permissions">\(rows)</ul></section>
      """
  }

  private func row(_ asked: AskedPermission, _ entry: RegistryEntry, _ formKey: String) -> HTML {
    let id = entry.identifier
    let state = authority.state(of: asked, for: id)
    let style =
      switch state {
      case .granted: "good";
      case .denied: "bad";
      case .undecided: "warn"
      }
    let passing: HTML? =
      state != .denied && authority.isPassing(asked.name, for: id)
      ? " <span class=\"faint\">ends with this host</span>" : nil
    let scope: [HTML] = asked.scope.prefix(50).map { "<li><code>\(foreign: $0, most: 120)</code></li>" }
    let list: HTML? = scope.isEmpty ? nil : "<ul class=\"scope\">\(scope)</ul>"
    let about = "\(asked.name) for \(entry.displayName)"
    func button(_ label: String, _ word: String) -> HTML {
      Shown.button(
        label, [("do", word), ("id", id), ("permission", asked.name), ("scope", Self.stamp(of: asked))], about: about,
        formKey: formKey)
    }
    var buttons: [HTML] = []
    if state != .granted { buttons.append(button("Allow", "grant")) }
    if state != .denied { buttons.append(button(state == .granted ? "Revoke" : "Refuse", "deny")) }
    if state != .undecided { buttons.append(button("Ask again", "reset")) }
    return """
      <li><div><h3>\(asked.name) <span class="tag \(style)">\(state.rawValue)</span>\(passing)</h3>\
      <p>\(PermissionKind.named(asked.name)?.allows ?? "")</p>\(list)</div><div class="buttons">\(buttons)</div></li>
      """
  }

  /// The parts that the user sees: a manifest may name others by the time that the form comes.
  private static func stamp(of asked: AskedPermission) -> String { asked.scope.sorted().joined(separator: "\n") }

  func act(_ request: PageRequest) async throws -> PageOutcome {
    guard let id = request.form["id"], let entry = host.registry.entry(id), let name = request.form["permission"],
      let asked = try authority.asked(by: entry, in: host.registry).first(where: { $0.name == name })
    else { return .missing }
    let state: PermissionState
    switch request.form["do"] {
    case "grant":
      let seen = (request.form["scope"] ?? "").replacing("\r\n", with: "\n")
      guard seen == Self.stamp(of: asked) else {
        throw ExtensionError(
          .invalidParams, "\(entry.displayName) asks for something else by now.",
          recovery: "Look at the page again before you decide.")
      }
      state = .granted
    case "deny": state = .denied
    case "reset": state = .undecided
    default: return .missing
    }
    try await authority.decide(asked, state, for: id)
    return .done("\(entry.displayName), \(name): \(state.rawValue).")
  }
}
