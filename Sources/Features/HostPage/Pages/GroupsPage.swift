import ExtensionHosting
import HTML
import HostServices
import PropertyList
import Time

/// The app groups with their keys and values, as they are now.
struct GroupsPage: PagePart {
  let name = "groups"
  let title = "Groups"
  let topics = ["groups"]
  let host: ExtensionHost
  let store: SuiteStore
  let desk: TodayDesk

  /// The most keys of a group that are shown.
  private static let most = 500

  func content(_ request: PageRequest) async throws -> HTML {
    let groups = desk.groups
    guard !groups.isEmpty else { return Shown.nothing("No extension has an app group.") }
    let wanted = request.query["find"] ?? ""
    var sections: [HTML] = []
    for group in groups { sections.append(try await section(group, matching: wanted)) }
    return """
      <form method="get" class="find"><label for="find">Keys that contain</label> \
      <input id="find" name="find" type="search" value="\(wanted)"><button>Find</button></form>
      <div class="stack">\(sections)</div>
      """
  }

  private func section(_ group: String, matching wanted: String) async throws -> HTML {
    let (entries, revision) = try await store.entries(in: group)
    let keys = entries.keys.filter { wanted.isEmpty || $0.contains(wanted) }.sorted()
    let rows: [HTML] = keys.prefix(Self.most).compactMap { key in
      entries[key].map { entry in
        """
        <tr data-key="key-\(group)-\(key)"><th scope="row"><code>\(foreign: key, most: 200)</code></th>\
        <td class="long">\(GroupValue(entry.value).html)</td><td class="number">\(entry.revision)</td></tr>
        """
      }
    }
    let rest: HTML? =
      keys.count > rows.count
      ? "<p class=\"faint\">and \(keys.count - rows.count) more keys; find some of them</p>" : nil
    let table: HTML =
      rows.isEmpty
      ? Shown.nothing(wanted.isEmpty ? "Nothing is stored." : "No key contains that.")
      : """
      <table class="list"><thead><tr><th scope="col">Key</th><th scope="col">Value</th><th scope="col" class="number">\
      Revision</th></tr></thead><tbody>\(rows)</tbody></table>
      """
    return """
      <section class="panel"><h2><code>\(foreign: group)</code></h2><p class="faint" data-key="revision-\(group)">\
      Revision \(revision), \(Shown.count(Int64(entries.count), "key"))</p>\(table)\(rest)</section>
      """
  }
}

/// A value of a group, for people.
struct GroupValue {
  private let value: PropertyListValue

  /// The most characters of a text, and the most parts of a list.
  private static let (longest, mostParts) = (400, 20)

  init(_ value: PropertyListValue) { self.value = value }

  var html: HTML { Self.html(value, depth: 0) }

  private static func html(_ value: PropertyListValue, depth: Int) -> HTML {
    guard depth < 4 else { return "…" }
    switch value {
    case .string(let text): return "\(foreign: text, most: longest)"
    case .integer(let number): return "<span class=\"value\">\(number)</span>"
    case .real(let number): return "<span class=\"value\">\("\(number)")</span>"
    case .bool(let flag): return "<span class=\"value\">\(flag ? "true" : "false")</span>"
    case .date(let seconds): return Shown.time(seconds)
    case .data(let bytes): return "<span class=\"faint\">\(bytes.count) bytes</span>"
    case .array(let values):
      let items: [HTML] = values.prefix(mostParts).map { "<li>\(html($0, depth: depth + 1))</li>" }
      let rest: HTML? = values.count > mostParts ? "<li>and \(values.count - mostParts) more</li>" : nil
      return "<ol>\(items)\(rest)</ol>"
    case .dictionary(let values):
      let keys = values.keys.sorted()
      let items: [HTML] = keys.prefix(mostParts).map { key in
        "<dt>\(foreign: key, most: 100)</dt><dd>\(values[key].map { html($0, depth: depth + 1) })</dd>"
      }
      let rest: HTML? = keys.count > mostParts ? "<dd>and \(keys.count - mostParts) more</dd>" : nil
      return "<dl class=\"facts\">\(items)\(rest)</dl>"
    }
  }
}
