import Contracts
import ExtensionHosting
import ExtensionProtocol
import HTML
import HostServices
import Text

/// Hands a text, an address or files to a Share or Action extension: which take them and why the others do not, what is
/// posted, and what comes back.
struct SharePage: PagePart {
  let name = "share"
  let title = "Share"
  let topics: [String] = []
  let host: ExtensionHost
  private let drafts = SharedDrafts()

  /// The most bytes of a form with files.
  static let longestForm = 32 << 20
  /// The points whose extensions can be used here.
  private static let points: [ExtensionPoint] = [.share, .action, .actionUI]

  init(host: ExtensionHost) { self.host = host }

  func content(_ request: PageRequest) -> HTML { form(request) }

  private func form(_ request: PageRequest, failure: ExtensionError? = nil) -> HTML {
    """
    \(failure.map { Shown.failure($0) })
    <form class="panel" method="post" enctype="multipart/form-data">\(Self.hidden([("form", request.formKey), ("do", "match")]))\
    <p>Hand something to an extension. The next page shows which of them take it.</p>
    <p><label for="text">Text</label><textarea id="text" name="text" rows="5">\(request.form["text"] ?? "")</textarea></p>
    <p><label for="url">Web address</label><input id="url" name="url" type="text" inputmode="url" \
    placeholder="https://…" value="\(request.form["url"] ?? "")"></p>
    <p><label for="files">Files, to choose or to drop here</label><input id="files" name="files" type="file" multiple></p>
    <p><button class="primary">Find extensions</button></p></form>
    """
  }

  private static func hidden(_ fields: [(String, String)]) -> HTML {
    let inputs: [HTML] = fields.map { "<input type=\"hidden\" name=\"\($0.0)\" value=\"\($0.1)\">" }
    return "\(inputs)"
  }

  // MARK: Forms

  func act(_ request: PageRequest) async throws -> PageOutcome {
    switch request.form["do"] {
    case "match": return .show(match(request))
    case "run": return .show(try await run(request))
    case "save":
      guard let index = request.form["result"].flatMap({ Int($0) }),
        let run = request.form["run"].flatMap({ Int($0) }),
        let result = drafts.result(index, of: request.form["draft"] ?? "", run: run)
      else { return .missing }
      return .file(name: result.name, result.bytes)
    default: return .missing
    }
  }

  private func match(_ request: PageRequest) -> HTML {
    let draft: SharedDraft
    do throws(ExtensionError) {
      draft = try SharedDraft(
        text: (request.form["text"] ?? "").replacing("\r\n", with: "\n"), url: request.form["url"] ?? "",
        files: request.files, types: host.registry.types)
    } catch {
      return form(request, failure: error)
    }
    let key = drafts.add(draft)
    let matches = host.extensions(matching: [draft.item], at: Self.points, includingRefused: true)
    let offered: [HTML] = matches.filter(\.isOffered).map { card($0.entry, draft, key, request.formKey) }
    let refused: [HTML] = matches.filter { !$0.isOffered }.map { match in
      let reasons: [HTML] = match.explanation.prefix(10).map { "<li>\(foreign: $0, most: 300)</li>" }
      return """
        <details><summary>\(foreign: match.entry.displayName, most: 60) does not take it</summary><ul>\(reasons)</ul></details>
        """
    }
    let none: HTML? = offered.isEmpty ? Shown.nothing("No extension takes this.") : nil
    let others: HTML? = refused.isEmpty ? nil : "<section class=\"panel\"><h2>The others</h2>\(refused)</section>"
    return """
      <section class="panel"><h2>What you hand over</h2>\(summary(of: draft))<p><a class="button" href="share">Something else</a>\
      </p></section>\(none)<div class="cards">\(offered)</div>\(others)
      """
  }

  private func summary(of draft: SharedDraft) -> HTML {
    let items: [HTML] = draft.item.attachments.map { attachment in
      let type = attachment.registeredTypeIdentifiers.first ?? "public.data"
      let size: HTML? = attachment.estimatedSize.map { ", \(Shown.count(Int64($0), "byte"))" }
      let words = attachment.suggestedName ?? attachment.inline?.value ?? ""
      return "<li>\(foreign: words, most: 200) <span class=\"faint\">\(foreign: type, most: 80)\(size)</span></li>"
    }
    return "<ul>\(items)</ul>"
  }

  private func card(_ entry: RegistryEntry, _ draft: SharedDraft, _ key: String, _ formKey: String) -> HTML {
    let fields = [("form", formKey), ("do", "run"), ("draft", key), ("id", entry.identifier)]
    let isShare = entry.point == .share
    let compose: HTML? =
      isShare
      ? """
      <p><label for="post-\(entry.identifier)">What is posted</label><textarea id="post-\(entry.identifier)" name="post" rows="3">\
      \(draft.item.attributedContentText ?? "")</textarea></p>
      """ : nil
    return """
      <article class="card"><header><h2>\(foreign: entry.displayName, most: 60)</h2></header>\
      <p class="faint"><code>\(foreign: entry.identifier)</code></p><form method="post" data-plain>\(Self.hidden(fields))\(compose)\
      <p><button class="primary" id="run-\(entry.identifier)">\(isShare ? "Post" : "Run")</button></p></form></article>
      """
  }

  // MARK: Running

  private func run(_ request: PageRequest) async throws -> HTML {
    let key = request.form["draft"] ?? ""
    guard let draft = drafts.draft(key) else {
      throw ExtensionError(
        .invalidParams, "What you handed over is not kept any more.", recovery: "Begin again on the page Share.")
    }
    let entry = try host.registry.enabledExtension(request.form["id"] ?? "")
    guard let point = entry.point, Self.points.contains(point) else {
      throw ExtensionError(.pointDisallows, "\(entry.displayName) takes nothing here.")
    }
    let text = (request.form["post"] ?? "").replacing("\r\n", with: "\n")
    let (requests, items) = (host.service(RequestService.self), host.service(ItemService.self))
    let share = host.service(ShareService.self)
    var results: [SharedDrafts.Result] = []
    let outcome = try await host.withExtension(entry.identifier) { process in
      items.offer(draft.sources, to: process)
      if point == .share {
        return try await process.share([draft.item], contentText: text, requests: requests, service: share)
      }
      return try await process.perform(
        [draft.item], requests: requests,
        collect: { returned, requestID in
          // What a viewer returns is dropped.
          if Self.isViewer(entry) { return returned }
          results = await Self.results(of: returned, from: process, requestID: requestID, draft)
          return returned
        })
    }
    switch outcome {
    case .cancelled(let failure):
      let why = failure.localizedDescription ?? "\(failure.domain) \(failure.code)"
      return answer(entry, "<p>It was cancelled: \(foreign: why, most: 400)</p>")
    case .completed(let items):
      let texts = items.compactMap { (item: ExtensionItem) in item.attributedContentText }.enumerated()
        .map { SharedDrafts.Result(name: "text-\($0.offset + 1).txt", bytes: Array($0.element.utf8), text: $0.element) }
      results += results.isEmpty && !Self.isViewer(entry) ? texts : []
      let run = drafts.keep(results, of: key)
      return answer(entry, done(results, key, run, request.formKey))
    }
  }

  private static func isViewer(_ entry: RegistryEntry) -> Bool {
    guard case .string(let name) = entry.manifest?.attributes["NSExtensionServiceRoleType"] else { return false }
    return Action.Role(rawValue: name) == .viewer
  }

  /// The values of what an action returned, which are fetched while it runs.
  private static func results(
    of items: [ExtensionItem], from process: ExtensionProcess, requestID: String, _ draft: SharedDraft
  ) async -> [SharedDrafts.Result] {
    var (results, room) = ([SharedDrafts.Result](), longestForm)
    for (index, attachment) in items.flatMap(\.attachments).prefix(32).enumerated() {
      let bytes: [UInt8]
      if let inline = attachment.inline {
        bytes = inline.encoding == "base64" ? Base64.decode(inline.value) ?? [] : Array(inline.value.utf8)
      } else if let own = draft.bytes[attachment.itemID] {
        bytes = own
      } else if let late = try? await process.bytes(of: attachment, requestID: requestID, limit: room) {
        bytes = late
      } else {
        continue
      }
      room = max(0, room - bytes.count)
      let name = (attachment.suggestedName ?? "result-\(index + 1)").lastName
      let text = bytes.count <= 64 << 10 && !bytes.contains(0) ? String(validating: bytes, as: UTF8.self) : nil
      results.append(SharedDrafts.Result(name: name ?? "result", bytes: bytes, text: text))
    }
    return results
  }

  private func done(_ results: [SharedDrafts.Result], _ key: String, _ run: Int, _ formKey: String) -> HTML {
    guard !results.isEmpty else { return "<p>Done.</p>" }
    let items: [HTML] = results.enumerated().map { index, result in
      let fields = [("form", formKey), ("do", "save"), ("draft", key), ("run", "\(run)"), ("result", "\(index)")]
      let text: HTML? = result.text.map {
        "<pre tabindex=\"0\" aria-label=\"\(result.name)\">\(foreign: $0, most: 20_000)</pre>"
      }
      return """
        <li class="stack"><p><bdi>\(result.name)</bdi> <span class="faint">\(Shown.count(Int64(result.bytes.count), "byte"))</span></p>\
        \(text)<form method="post" data-plain>\(Self.hidden(fields))<button id="save-\(index)" aria-label="Save: \(result.name)">Save\
        </button></form></li>
        """
    }
    return "<ul class=\"results\">\(items)</ul>"
  }

  private func answer(_ entry: RegistryEntry, _ content: HTML) -> HTML {
    """
    <section class="panel" id="answer"><h2>\(foreign: entry.displayName, most: 60)</h2>\(content)<p><a class="button" href="share">\
    Share something else</a></p></section>
    """
  }
}
