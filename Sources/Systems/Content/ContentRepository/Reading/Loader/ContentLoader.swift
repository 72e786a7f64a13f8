import Files
import JSON
import Text

/// Reads all files of a content.
struct ContentLoader {
  let files: any ContentFiles
  let limits: ContentLimits
  let drawing: ContentAsset.Drawing?
  /// What was read before; what did not change is taken over from it.
  let previous: ContentGraph
  var problems: ContentProblemList
  var sources: [ExactText: SourceFile] = [:]
  /// All files by their paths, of which every byte counts.
  var index: [ExactText: ContentFile] = [:]
  private var bytesLeft: Int

  init(
    _ files: any ContentFiles, limits: ContentLimits, drawing: ContentAsset.Drawing?, previous: ContentGraph
  ) {
    self.files = files
    self.limits = limits
    self.drawing = drawing
    self.previous = previous
    problems = ContentProblemList(limit: limits.problems)
    bytesLeft = limits.totalBytes
  }

  /// - Throws: everything that is wrong.
  static func load(
    _ files: any ContentFiles, limits: ContentLimits, drawing: ContentAsset.Drawing?, previous: ContentGraph
  ) throws(ContentProblems) -> ContentGraph {
    var loader = ContentLoader(files, limits: limits, drawing: drawing, previous: previous)
    return try loader.graph()
  }

  private mutating func graph() throws(ContentProblems) -> ContentGraph {
    let list = files.list(&problems)
    index = Dictionary(list.map { (ExactText($0.path), $0) }) { first, _ in first }
    let models = self.models(list)
    if models.isEmpty, problems.isEmpty {
      problems.add(
        "models", "There are no models.", "Put one into models/<configuration>/<name>.json, with a title and fields.")
    }
    let fragments = self.fragments(list, models)
    let texts = Set(fragments.flatMap(\.sources.keys))
    let assets = self.assets(list, without: texts)
    check(fragments, models, assets)
    let queries = self.queries(list)
    var endpoints: [String: Endpoint] = [:]
    if problems.isEmpty {
      endpoints = self.endpoints(models)
      check(queries, endpoints)
    }
    if !problems.isEmpty { throw ContentProblems(problems.sorted) }
    return ContentGraph(
      models: models, fragments: fragments, assets: assets, queries: queries.mapValues { $0.map(\.query) },
      endpoints: endpoints, files: sources)
  }

  // MARK: Files

  /// The bytes of a small file; `nil` with a problem.
  mutating func bytes(_ file: ContentFile) -> [UInt8]? {
    do throws(FileError) {
      let bytes = try files.read(file, limit: limits.fileBytes)
      bytesLeft -= bytes.count
      if bytesLeft >= 0 { return bytes }
      if bytesLeft + bytes.count >= 0 {
        problems.add(
          file.path, "The files have more than \(limits.totalBytes >> 20) MiB together.", "Take some of them away.")
      }
    } catch {
      problems.add(file.path, nil, error.message, error.recovery ?? "Check the file.")
    }
    return nil
  }

  /// A JSON file, as it was read before or anew.
  mutating func json(_ file: ContentFile) -> SourceFile? {
    if let known = previous.files[ExactText(file.path)], known.stamp == file.stamp, isStamped(file) {
      sources[ExactText(file.path)] = known
      return known
    }
    guard let bytes = bytes(file) else { return nil }
    do throws(JSONError) {
      let source = try SourceFile(path: file.path, stamp: file.stamp, bytes: bytes)
      sources[ExactText(file.path)] = source
      return source
    } catch {
      let place = error.position(in: bytes)
      problems.add(
        file.path, SourcePlace(line: place.line, column: place.column), error.message, "Correct the JSON at this place."
      )
      return nil
    }
  }

  /// Returns whether the stamp distinguishes a changed file from the old one.
  private func isStamped(_ file: ContentFile) -> Bool {
    if case .file = file.source { !file.stamp.isEmpty } else { false }
  }

  // MARK: Models

  private mutating func models(_ list: [ContentFile]) -> [String: ContentModel] {
    var models: [String: ContentModel] = [:]
    for file in list where file.path.hasPrefix("models/") {
      let parts = file.path.pathParts().map(String.init)
      guard parts.count == 3, file.pathExtension == "json" else {
        problems.add(
          file.path, "This is not a model.",
          "Models are files models/<configuration>/<name>.json; move it or take it away.")
        continue
      }
      let name = String(parts[2].dropLast(5))
      guard let source = json(file) else { continue }
      if let known = previous.models["\(parts[1])/\(name)"], known.file === source {
        models[known.key] = known
      } else if let model = ModelReader(file: source, configuration: parts[1], name: name).model(&problems) {
        models[model.key] = model
      }
    }
    checkNames(models)
    return models
  }

  private mutating func checkNames(_ models: [String: ContentModel]) {
    var seen: [String: ContentModel] = [:]
    for model in models.values.sorted(by: { $0.key < $1.key }) {
      let name = "\(model.configuration)/\(model.queryName.lowercased())"
      if let first = seen[name] {
        problems.add(
          model.file.path, "This model has the same name in queries as \(first.file.path.shownInProblem).",
          "Give it a queryName of its own.")
      }
      seen[name] = model
      for field in model.fields {
        guard case .fragment(let keys) = field.type else { continue }
        for key in keys where models[key] == nil {
          problems.add(
            model.file.path,
            "The field \(field.name.quotedInProblem) refers to a model "
              + "\(key.quotedInProblem), which is not there.", "Write \"configuration/name\" of one that is there.")
        }
      }
    }
  }
}
