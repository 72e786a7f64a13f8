import BundleInstalling
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import FeatureCommands
import HTML
import HostPage
import Text
import Time

/// The bundles that are installed, and what the trusted indexes offer: update, install and remove.
struct BundlesPage: PagePart {
  let name = "bundles"
  let title = "Bundles"
  let topics = ["extensions"]
  let invocation: Invocation
  let desk: BundleDesk

  /// The most bundles, and the most wishes of one, that are shown.
  private static let (most, mostWishes) = (200, 60)

  init(host: ExtensionHost, invocation: Invocation) {
    self.invocation = invocation
    desk = BundleDesk(host, invocation)
  }

  /// The updates that wait.
  var count: Int { desk.found.updates.count }

  // MARK: Content

  func content(_ request: PageRequest) async throws -> HTML {
    let bundles = try desk.installed()
    let found = desk.found
    let panels: [HTML] = bundles.prefix(Self.most).map { panel($0, found, request.formKey) }
    let none: HTML? =
      bundles.isEmpty
      ? "<p class=\"nothing\" data-key=\"none\">No bundle is installed. <code>host add BUNDLE</code> adds one.</p>"
      : nil
    let remaining = found.remainingOffers(besides: bundles)
    let (indexes, offers) = (try indexes(found, request.formKey), offers(remaining, request.formKey))
    return "\(indexes)\(none)<div class=\"stack\">\(panels)</div>\(offers)"
  }

  private func indexes(_ found: BundleDesk.Found, _ formKey: String) throws -> HTML {
    let indexes = ExtensionIndex.trusted(try IndexAccess.store(invocation))
    guard !indexes.isEmpty else {
      return """
        <p class="nothing" data-key="indexes">No index is trusted yet. <code>host install NAME --from URL</code> shows you \
        the fingerprint of one, and updates come from there.</p>
        """
    }
    let items: [HTML] = indexes.map { index in
      let root = index.root.map { $0.shown.prefix(19) } ?? "unknown"
      return "<li>\(foreign: index.url, most: 300) <span class=\"faint\">root \(root)</span></li>"
    }
    let failures: [HTML] = found.failures.prefix(10).map { "<p class=\"failure\">\(foreign: $0, most: 600)</p>" }
    let look = button("Look for updates", [("do", "look")], about: "in the indexes", formKey)
    let when: HTML =
      found.time.map { "Looked at \(UnixTime(seconds: $0).text())." } ?? "Nobody has looked for updates yet."
    return """
      <section class="panel" data-key="indexes"><h2>Indexes</h2><ul>\(items)</ul>\(failures)\
      <p class="faint">\(when)</p><div class="buttons">\(look)</div></section>
      """
  }

  private func panel(_ bundle: BundleDesk.Bundle, _ found: BundleDesk.Found, _ formKey: String) -> HTML {
    let update = found.update(of: bundle)
    var facts: [(HTML, HTML)] = [
      ("Identifier", "<code>\(foreign: bundle.identifier)</code>"),
      ("Version", "\(foreign: bundle.version ?? "unknown", most: 40)"),
      ("Team", "\(foreign: bundle.team, most: 120)"),
      ("Bundle", "<code class=\"long\">\(foreign: bundle.path, most: 500)</code>"),
    ]
    if let reason = found.takenBack(bundle) {
      facts.append(("Taken back", "\(foreign: reason, most: 300)"))
    }
    let list: [HTML] = facts.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>" }
    let reasons: [HTML] = bundle.reasons.prefix(10).map { "<p class=\"failure\">\(foreign: $0, most: 400)</p>" }
    let news: HTML? = update.map { update in
      let more = Set(update.offer.asks).subtracting(bundle.wishes).sorted()
      let wishes = wish(more, "It would newly be allowed:", none: "It asks for nothing more.")
      return "<h3>Version \(foreign: update.offer.version, most: 40) is offered</h3>\(wishes)"
    }
    var buttons: [HTML] = []
    if let update {
      buttons.append(
        button(
          "Update", [("do", "install"), ("id", bundle.identifier), ("version", update.offer.version)],
          about: bundle.name, formKey, style: "primary"))
    }
    buttons.append(button("Remove", [("do", "ask-remove"), ("path", bundle.path)], about: bundle.name, formKey))
    let tag = tag(bundle, isNewer: update != nil, isTakenBack: found.takenBack(bundle) != nil)
    return """
      <section class="panel" data-key="bundle-\(bundle.path)"><h2>\(foreign: bundle.name, most: 60) \(tag)</h2>\
      <dl class="facts">\(list)</dl>\(reasons)\(news)<div class="buttons">\(buttons)</div></section>
      """
  }

  private func tag(_ bundle: BundleDesk.Bundle, isNewer: Bool, isTakenBack: Bool) -> HTML {
    if bundle.isRevoked { return "<span class=\"tag bad\">revoked</span>" }
    if isTakenBack { return "<span class=\"tag bad\">taken back</span>" }
    if let state = bundle.state { return "<span class=\"tag warn\">\(state)</span>" }
    return isNewer ? "<span class=\"tag warn\">update</span>" : "<span class=\"tag good\">installed</span>"
  }

  private func wish(_ wishes: [String], _ heading: HTML, none: HTML) -> HTML {
    guard !wishes.isEmpty else { return "<p class=\"faint\">\(none)</p>" }
    let items: [HTML] = wishes.prefix(Self.mostWishes).map { "<li><code>\(foreign: $0, most: 120)</code></li>" }
    let rest: HTML? = wishes.count > items.count ? "<li>and \(wishes.count - items.count) more</li>" : nil
    return "<p>\(heading)</p><ul class=\"scope\">\(items)\(rest)</ul>"
  }

  private func offers(_ offers: [BundleDesk.Place], _ formKey: String) -> HTML? {
    guard !offers.isEmpty else { return nil }
    let items: [HTML] = offers.prefix(Self.most).map { one in
      let offer = one.offer
      let fields = [("do", "install"), ("id", offer.identifier), ("version", offer.version)]
      let install = button("Install", fields, about: offer.title, formKey)
      return """
        <li><div><h3>\(foreign: offer.title, most: 80) \(foreign: offer.version, most: 40)</h3>\
        <p class="faint"><code>\(foreign: offer.identifier)</code> of \(foreign: offer.team.shown, most: 120)</p>\
        \(wish(offer.asks, "It asks for:", none: "It asks for nothing."))</div><div class="buttons">\(install)</div></li>
        """
    }
    return """
      <section class="panel" data-key="offers"><h2>What the indexes offer besides</h2>\
      <ul class="permissions">\(items)</ul></section>
      """
  }

  private func button(
    _ label: String, _ fields: [(String, String)], about: String, _ formKey: String, style: String = ""
  ) -> HTML {
    let hidden: [HTML] = (fields + [("form", formKey)]).map {
      "<input type=\"hidden\" name=\"\($0.0)\" value=\"\($0.1)\">"
    }
    let id = "b-" + fields.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    return """
      <form method="post">\(hidden)<button class="\(style)" id="\(id)" aria-label="\(label): \(about)">\(label)</button>\
      </form>
      """
  }

  // MARK: Forms

  func act(_ request: PageRequest) async throws -> PageOutcome {
    switch request.form["do"] {
    case "look":
      let updates = try await desk.look().updates.count
      return .done(updates == 0 ? "Nothing is newer." : "\(updates) update\(updates == 1 ? "" : "s").")
    case "install": return try await install(request)
    case "ask-remove":
      guard let bundle = Self.bundle(in: request.form, of: try desk.installed()) else { return .missing }
      let fields = [("do", "remove"), ("path", bundle.path)]
      return .show(
        confirmation(
          "Remove \(bundle.name)?",
          "The host forgets the bundle and what was approved of its extensions. Its data and its files stay.", fields,
          "Remove", request.formKey))
    case "remove":
      guard let bundle = Self.bundle(in: request.form, of: try desk.installed()) else {
        return .done("The bundle is removed already.")
      }
      try await desk.remove(bundle)
      return .done("\(bundle.name) is removed.")
    default: return .missing
    }
  }

  /// The bundle that a form means, by the bytes of its path: of two spellings of an accent each is another folder.
  static func bundle(in form: [String: String], of bundles: [BundleDesk.Bundle]) -> BundleDesk.Bundle? {
    form["path"].flatMap { path in bundles.first { $0.path.hasBytes(of: path) } }
  }

  /// What the user has agreed to so far: the stamps of the questions, at most 64.
  static func agreed(in form: [String: String]) -> Set<String> {
    Set((form["agreed"] ?? "").split(separator: ",").prefix(64).map(String.init))
  }

  private func install(_ request: PageRequest) async throws -> PageOutcome {
    guard let id = request.form["id"], let version = request.form["version"],
      let place = desk.found.place(of: id, version)
    else { return .missing }
    let agreed = Self.agreed(in: request.form)
    switch try await desk.install(place.offer, from: place.index, agreed: agreed) {
    case .installed(let installed):
      let before = installed.replaced.map { " in place of \($0)" } ?? ""
      let what = "\(installed.identifier) \(installed.version) is installed\(before)."
      return .done("\(what) It is signed by \(installed.team.shown).")
    case .asks(let question, let stamp):
      let fields = [
        ("do", "install"), ("id", id), ("version", version),
        ("agreed", (agreed.sorted() + [stamp]).joined(separator: ",")),
      ]
      return .show(
        confirmation(
          "Install \(place.offer.title) \(version)?", question.sentence, fields, "Agree and install", request.formKey))
    }
  }

  private func confirmation(
    _ heading: String, _ sentence: String, _ fields: [(String, String)], _ label: String, _ formKey: String
  ) -> HTML {
    """
    <section class="panel" data-key="confirmation"><h2>\(foreign: heading, most: 200)</h2>\
    <p>\(foreign: sentence, most: 4_000)</p><div class="buttons">\
    \(button(label, fields, about: heading, formKey, style: "primary"))<a class="button" href="bundles">Not now</a></div>\
    </section>
    """
  }
}
