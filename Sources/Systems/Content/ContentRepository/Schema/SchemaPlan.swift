/// The models of an endpoint and the names of their fields and types.
struct SchemaPlan: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    let model: ContentModel
    /// The beginning of the root fields: `adventure` for `adventureList`.
    let queryName: String
    /// The name of the model's type: `AdventureModel`.
    let typeName: String

    /// Compares the names only, because these decide what queries mean. The fields of the models are part of the
    /// schema.
    static func == (left: Entry, right: Entry) -> Bool {
      (left.model.key, left.queryName, left.typeName) == (right.model.key, right.queryName, right.typeName)
    }
  }

  let entries: [Entry]

  /// - Parameter configuration: the models of one, and those that they refer to; `nil` for all models.
  init(configuration: String?, models: [String: ContentModel]) {
    var waiting = models.values.filter { configuration == nil || $0.configuration == configuration }
    var chosen: [String: ContentModel] = [:]
    while let model = waiting.popLast() {
      guard chosen.updateValue(model, forKey: model.key) == nil else { continue }
      for field in model.fields {
        if case .fragment(let keys) = field.type { waiting += keys.compactMap { models[$0] } }
      }
    }
    // The own models come first: they keep their names.
    let sorted = chosen.values.sorted { left, right in
      let (one, other) = (left.configuration == configuration, right.configuration == configuration)
      return one == other ? left.key < right.key : one
    }
    var taken: Set<String> = []
    entries = sorted.map { model in
      var name = model.queryName
      var number = 2
      while !taken.insert(name.lowercased()).inserted {
        name = "\(model.queryName)\(number)"
        number += 1
      }
      return Entry(model: model, queryName: name, typeName: name.prefix(1).uppercased() + name.dropFirst() + "Model")
    }
  }

  func entry(of key: String) -> Entry? { entries.first { $0.model.key == key } }
}
