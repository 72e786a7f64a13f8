import JSON
import Text

/// Reads a fragment's file.
struct FragmentReader {
  let file: SourceFile
  let model: ContentModel
  /// Reads a text beside the file; gives its text and its stamp.
  let readText:
    (_ name: String, _ place: SourcePlace, inout ContentProblemList) -> (path: String, stamp: String, text: String)?

  private static let members = ["model", "id", "title", "description", "tags", "metadata", "fields", "variations"]

  func draft(_ problems: inout ContentProblemList) -> FragmentDraft {
    var draft = FragmentDraft()
    unknown(file.root, Self.members, "a fragment", &problems)
    draft.title = text("title", of: file.root, &problems)
    draft.words = text("description", of: file.root, &problems)
    draft.id = text("id", of: file.root, &problems)?.lowercased()
    if let id = draft.id, !StableID.isValid(id) {
      fault(
        file.root["id"], "\(id.quotedInProblem) is not a UUID.", "Write one, or leave the member out.", &problems)
    }
    if let tags = file.root["tags"] {
      draft.tags = tags.elements?.compactMap(\.string) ?? []
      if draft.tags.count != tags.elements?.count {
        fault(tags, "\"tags\" is an array of texts, not \(tags.words).", "Write texts between [ and ].", &problems)
      }
    }
    metadata(&draft, &problems)
    let defaults = model.fields.map(\.defaultValue)
    if let fields = file.root["fields"] {
      draft.values = values(fields, defaults, &draft, &problems)
    } else {
      draft.values = defaults
      fault(file.root, "The fragment has no fields.", "Give it a member \"fields\" with an object.", &problems)
    }
    variations(&draft, &problems)
    return draft
  }

  private func metadata(_ draft: inout FragmentDraft, _ problems: inout ContentProblemList) {
    guard let metadata = file.root["metadata"] else { return }
    guard let members = metadata.members else {
      fault(metadata, "\"metadata\" is an object, not \(metadata.words).", "Write it between { and }.", &problems)
      return
    }
    for member in members {
      let scalars = member.value.elements ?? [member.value]
      let isFlat = scalars.allSatisfy { if case .scalar(let value) = $0.kind { !value.isNull } else { false } }
      if isFlat {
        draft.metadata[member.name] = member.value.json
      } else {
        fault(
          member.value, "Metadata are texts, numbers, booleans and arrays of them.", "Write one of these.", &problems)
      }
    }
  }

  private func variations(_ draft: inout FragmentDraft, _ problems: inout ContentProblemList) {
    guard let variations = file.root["variations"] else { return }
    guard let members = variations.members else {
      fault(variations, "\"variations\" is an object, not \(variations.words).", "Write it between { and }.", &problems)
      return
    }
    for member in members {
      guard member.value.members != nil, member.name != FragmentView.mainVariation, !member.name.isEmpty else {
        fault(
          member.value, "A variation has a name other than master, and is an object.",
          "Write it as \"name\": {\"fields\": {…}}.", &problems)
        continue
      }
      unknown(member.value, ["title", "fields"], "a variation", &problems)
      let values = member.value["fields"].map { self.values($0, draft.values, &draft, &problems) } ?? draft.values
      draft.variations.append(
        ContentFragment.Variation(
          name: member.name, title: text("title", of: member.value, &problems), values: values))
    }
  }

  /// - Parameter others: the values of the fields that are not given.
  private func values(
    _ json: LocatedJSON, _ others: [FieldValue], _ draft: inout FragmentDraft, _ problems: inout ContentProblemList
  ) -> [FieldValue] {
    guard let members = json.members else {
      fault(json, "\"fields\" is an object, not \(json.words).", "Write it between { and }.", &problems)
      return others
    }
    var values = others
    var sources: [ExactText: String] = [:]
    var reader = FieldReader(file: file) { name, place, problems in
      guard let found = readText(name, place, &problems) else { return nil }
      sources[ExactText(found.path)] = found.stamp
      return found.text
    }
    for member in members {
      guard let position = model.position(of: member.name) else {
        let hint = didYouMean(nearMisses(of: member.name, in: model.fields.map(\.name)))
        problems.add(
          file.path, file.place(member.offset),
          "The model \(model.key.shownInProblem) has no field \(member.name.quotedInProblem).",
          hint ?? "Take it away, or add it to the model.")
        continue
      }
      values[position] = reader.value(member.value, of: model.fields[position], at: position, &problems)
    }
    draft.links += reader.links
    draft.sources.merge(sources) { first, _ in first }
    return values
  }

  private func text(_ member: String, of json: LocatedJSON, _ problems: inout ContentProblemList) -> String? {
    guard let value = json[member], !value.isNull else { return nil }
    if value.string == nil {
      fault(value, "\"\(member)\" is a text, not \(value.words).", "Write it between quotation marks.", &problems)
    }
    return value.string
  }

  private func unknown(_ json: LocatedJSON, _ names: [String], _ what: String, _ problems: inout ContentProblemList) {
    for member in json.members ?? [] where !names.contains(member.name) {
      problems.add(
        file.path, file.place(member.offset), "There is no member \(member.name.quotedInProblem) of \(what).",
        didYouMean(nearMisses(of: member.name, in: names)) ?? "Its members are \(names.joined(separator: ", ")).")
    }
  }

  private func fault(_ json: LocatedJSON?, _ message: String, _ fix: String, _ problems: inout ContentProblemList) {
    problems.add(file.path, json.map { file.place($0) }, message, fix)
  }
}

/// A fragment while it is read.
struct FragmentDraft {
  var id: String?
  var title: String?
  var words: String?
  var tags: [String] = []
  var metadata: JSONObject = [:]
  var values: [FieldValue] = []
  var variations: [ContentFragment.Variation] = []
  var links: [ContentFragment.Link] = []
  var sources: [ExactText: String] = [:]
}
