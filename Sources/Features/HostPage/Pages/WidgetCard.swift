import ExtensionHosting
import ExtensionProtocol
import HTML
import HostServices

/// One Today widget on the page. All of its text is somebody else's.
struct WidgetCard {
  let entry: RegistryEntry
  let state: WidgetState
  let isExpanded: Bool
  /// Whether it has an expanded view.
  let canExpand: Bool
  let formKey: String

  /// The most rows that are shown, compact and expanded.
  private static let (fewRows, manyRows) = (5, 60)

  var html: HTML {
    let stale: HTML? = state.isStale ? "<span class=\"tag warn\">stale</span>" : nil
    let when: HTML? = state.snapshot.map { "<p class=\"faint\">\(Shown.time($0.updatedAt))</p>" }
    return """
      <article class="card" data-key="widget-\(entry.identifier)" aria-labelledby="name-\(entry.identifier)"><header>\
      <h2 id="name-\(entry.identifier)">\(foreign: entry.displayName, most: 60)</h2>\(stale)</header>
      <div class="view">\(content)</div>\(failure)
      <footer>\(when)<div class="buttons">\(buttons)</div></footer></article>
      """
  }

  private var content: HTML {
    if state.isHidden { return Shown.nothing("It has nothing to show now. Its app can bring it back.") }
    guard let view = state.snapshot?.view else {
      return Shown.nothing(state.outcome == .failed ? "Nothing to show yet." : "Waiting for its first view …")
    }
    let title: HTML? = view.title.map { "<h3>\(foreign: $0, most: 120)</h3>" }
    let text: HTML? = view.text.map { "<p class=\"text\">\(foreign: $0, most: isExpanded ? 4_000 : 400)</p>" }
    let most = state.displayMode == .expanded ? Self.manyRows : Self.fewRows
    let rows: [HTML] = view.rows.prefix(most).enumerated().map { row($0.element, $0.offset) }
    let list: HTML? = rows.isEmpty ? nil : "<ul class=\"rows\">\(rows)</ul>"
    let rest = view.rows.count - rows.count
    let more: HTML? = rest > 0 ? "<p class=\"faint\">and \(rest) more</p>" : nil
    return "\(title)\(text)\(list)\(more)"
  }

  private func row(_ row: WidgetView.Row, _ index: Int) -> HTML {
    let subtitle: HTML? = row.subtitle.map { "<span class=\"subtitle\">\(foreign: $0, most: 200)</span>" }
    let value: HTML? = row.value.map { "<span class=\"value\">\(foreign: $0, most: 60)</span>" }
    let title: HTML = "<span class=\"title\">\(foreign: row.title, most: 200)</span>"
    let inside: HTML = "<span class=\"words\">\(title)\(subtitle)</span>\(value)"
    let id = entry.identifier
    let fields: [(String, String)]
    if let url = row.url {
      fields = [("do", "ask"), ("id", id), ("row", "\(index)"), ("url", url)]
    } else if let action = row.action {
      fields = [("do", "act"), ("id", id), ("row", "\(index)"), ("action", action)]
    } else {
      return "<li><div class=\"row\">\(inside)</div></li>"
    }
    let hidden: [HTML] = (fields + [("form", formKey)]).map {
      "<input type=\"hidden\" name=\"\($0.0)\" value=\"\($0.1)\">"
    }
    // What opens a page of its own is not for the script.
    let plain: HTML = row.url == nil ? "" : " data-plain"
    let mark: HTML = row.url == nil ? "<span class=\"mark\">▸</span>" : "<span class=\"mark\">↗</span>"
    return """
      <li><form method="post"\(plain)>\(hidden)<button class="row" id="row-\(id)-\(index)">\(inside)\(mark)</button></form></li>
      """
  }

  private var failure: HTML {
    if let error = state.error { return Shown.failure(error) }
    guard state.outcome == .failed else { return .empty }
    return Shown.failure(ExtensionError(.handlerFailed, "\(entry.displayName) reports that its update failed."))
  }

  private var buttons: [HTML] {
    let (id, about) = (entry.identifier, entry.displayName)
    var buttons = [Shown.button("Update", [("do", "update"), ("id", id)], about: about, formKey: formKey)]
    if isExpanded {
      buttons.append(Shown.button("Show less", [("do", "shrink"), ("id", id)], about: about, formKey: formKey))
    } else if canExpand {
      buttons.append(Shown.button("Show more", [("do", "expand"), ("id", id)], about: about, formKey: formKey))
    }
    return buttons
  }
}
