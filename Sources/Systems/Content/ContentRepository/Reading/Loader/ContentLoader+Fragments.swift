import Files
import JSON
import Text

extension ContentLoader {
  mutating func fragments(_ list: [ContentFile], _ models: [String: ContentModel]) -> [ContentFragment] {
    var byName: [String: [ContentModel]] = [:]
    for model in models.values { byName[model.name, default: []].append(model) }
    var fragments: [ContentFragment] = []
    for file in list where file.path.hasPrefix("content/") && file.pathExtension == "json" {
      guard let source = json(file) else { continue }
      // A JSON file next to an asset describes the asset and is not a fragment.
      if source.root["model"] == nil, index[ExactText(file.pathWithoutExtension)] != nil || isTold(file) { continue }
      guard let model = model(of: source, models, byName) else { continue }
      if let known = previous.fragment(at: "/" + file.pathWithoutExtension), known.file === source,
        known.model === model, known.sources.allSatisfy({ index[$0.key]?.stamp == $0.value })
      {
        fragments.append(known)
        continue
      }
      fragments.append(fragment(source, model, path: "/" + file.pathWithoutExtension))
    }
    return fragments
  }

  /// Whether the name without `.json` is that of an asset that is drawn: `name.png.json`.
  private func isTold(_ file: ContentFile) -> Bool {
    let rest = ContentFile(path: file.pathWithoutExtension, stamp: "", size: 0, source: file.source)
    return AssetKind.mimeTypes[rest.pathExtension] != nil
  }

  private mutating func fragment(_ source: SourceFile, _ model: ContentModel, path: String) -> ContentFragment {
    let folder = Folder.parent(of: source.path)
    // A copy reads the texts, since the closure may not reach for what is being changed.
    var texts: [ExactText: String] = [:]
    for name in Self.textNames(source.root) {
      if let file = index[ExactText("\(folder)/\(name)")], let bytes = bytes(file) {
        texts[name] = String(validating: bytes, as: UTF8.self)
      }
    }
    let (index, loaded) = (index, texts)
    let reader = FragmentReader(file: source, model: model) { name, place, problems in
      guard let file = index[ExactText("\(folder)/\(name)")] else {
        problems.add(
          source.path, place, "There is no file \(name.quotedInProblem) beside this one.", "Write its name as it is.")
        return nil
      }
      guard let text = loaded[ExactText(name)] else {
        problems.add(file.path, "This text cannot be read as UTF-8.", "Save it as UTF-8.")
        return nil
      }
      return (file.path, file.stamp, text)
    }
    let draft = reader.draft(&problems)
    return ContentFragment(draft, model: model, path: path, file: source)
  }

  /// The names of files in values `{"file": "name"}`.
  private static func textNames(_ json: LocatedJSON) -> Set<ExactText> {
    var (found, waiting): (Set<ExactText>, [LocatedJSON]) = ([], [json])
    while let next = waiting.popLast() {
      if let name = next["file"]?.string, next.members?.count == 1 { found.insert(ExactText(name)) }
      waiting += next.elements ?? next.members?.map(\.value) ?? []
    }
    return found
  }

  private mutating func model(
    of source: SourceFile, _ models: [String: ContentModel], _ byName: [String: [ContentModel]]
  ) -> ContentModel? {
    guard let json = source.root["model"], let name = json.string else {
      problems.add(
        source.path, source.place(source.root["model"] ?? source.root), "The fragment does not say its model.",
        "Give it a member \"model\" with \"configuration/name\".")
      return nil
    }
    // As AEM writes it, too.
    let key = name.pathParts().map(String.init)
    let short = key.count > 2 && key[0] == "conf" ? "\(key[1])/\(key[key.count - 1])" : name
    if let model = models[short] { return model }
    if let found = byName[short], found.count == 1 { return found[0] }
    let hint =
      (byName[short]?.count ?? 0) > 1
      ? "Several configurations have it: write \"configuration/name\"."
      : didYouMean(nearMisses(of: short, in: models.keys.sorted())) ?? "Write \"configuration/name\" of one that is."
    problems.add(source.path, source.place(json), "There is no model \(name.quotedInProblem).", hint)
    return nil
  }

  // MARK: Links

  /// References lead somewhere, and what has to be unique is.
  mutating func check(
    _ fragments: [ContentFragment], _ models: [String: ContentModel], _ assets: [ContentAsset]
  ) {
    let kinds = Dictionary(assets.map { (ExactText($0.path), $0.kind) }) { first, _ in first }
    let byPath = Dictionary(fragments.map { (ExactText($0.path), $0) }) { first, _ in first }
    var ids: [String: String] = [:]
    var unique: [String: String] = [:]
    for fragment in fragments {
      let file = fragment.file
      if kinds[ExactText(fragment.path)] != nil {
        problems.add(file.path, "A fragment and an asset have the path \(fragment.path.shownInProblem).", "Rename one.")
      }
      if let other = ids.updateValue(file.path, forKey: fragment.id) {
        problems.add(
          file.path, file.root["id"].map(file.place), "\(other.shownInProblem) has the same id.", "Give it another one."
        )
      }
      for (field, value) in zip(fragment.model.fields, fragment.values) where field.isUnique {
        guard case .scalar(let scalar) = value else { continue }
        let key = "\(fragment.model.key)\n\(field.name)\n\(fragment.locale ?? "")\n\(scalar)"
        if let other = unique.updateValue(file.path, forKey: key) {
          problems.add(
            file.path, file.root["fields"]?[field.name].map(file.place),
            "\(other.shownInProblem) has the same \(field.name.quotedInProblem), which has to be unique.",
            "Give it another one.")
        }
      }
      for link in fragment.links { check(link, of: fragment, byPath, kinds) }
    }
    for asset in assets {
      if let other = ids.updateValue(asset.path, forKey: asset.id) {
        problems.add(
          String(asset.path.dropFirst()), "\(other.shownInProblem) has the same id.", "Give it another one.")
      }
    }
  }

  private mutating func check(
    _ link: ContentFragment.Link, of fragment: ContentFragment, _ fragments: [ExactText: ContentFragment],
    _ assets: [ExactText: AssetKind]
  ) {
    let field = fragment.model.fields[link.field]
    let path = link.path.quotedInProblem
    switch field.type {
    case .fragment(let keys):
      guard let target = fragments[ExactText(link.path)] else {
        problems.add(
          fragment.file.path, link.place, "There is no fragment \(path).",
          didYouMean(nearMisses(of: link.path, in: fragments.keys.prefix(2_000).map(\.text).sorted()))
            ?? "Write the path of one, without .json.")
        return
      }
      if !keys.contains(target.model.key) {
        problems.add(
          fragment.file.path, link.place,
          "\(path) is of the model \(target.model.key.shownInProblem), which "
            + "\(field.name.quotedInProblem) does not take.",
          "Its models are \(keys.joined(separator: ", ").shownInProblem).")
      }
    case .content(let accepts):
      // Pages are no part of the content.
      let isInside = link.path.hasPrefix("/content/dam/")
      let kind = isInside ? assets[ExactText(link.path)] : .page
      if let kind, !accepts.isEmpty, !accepts.contains(kind) {
        problems.add(
          fragment.file.path, link.place,
          "\(field.name.quotedInProblem) does not take \(path), which is of the kind \(kind.rawValue).",
          "It accepts \(accepts.map(\.rawValue).joined(separator: ", ")).")
      } else if kind == nil, fragments[ExactText(link.path)] == nil || !accepts.isEmpty {
        problems.add(
          fragment.file.path, link.place, "There is no asset \(path).",
          didYouMean(nearMisses(of: link.path, in: assets.keys.prefix(2_000).map(\.text).sorted()))
            ?? "Put the file there.")
      }
    default: break
    }
  }
}
