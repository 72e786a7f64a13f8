/// The members of a generated result type.
struct ResultShape: Hashable {
  struct Property: Hashable {
    /// The name in the response.
    let name: String
    /// With its `?`.
    let type: String
    var isOptional: Bool { type.hasSuffix("?") }
  }

  /// A struct inside of it.
  struct Nested: Hashable {
    let name: String
    let shape: ResultShape
  }

  /// The key of the row, if all its columns are selected.
  struct Key: Hashable {
    let type: String
    /// The computed property with it.
    let name: String
    /// The columns, each with the property that has it.
    let columns: [Pair]
    /// Whether there is a property `id` that tells rows.
    let hasID: Bool

    struct Pair: Hashable {
      let column: String
      let property: String
    }
  }

  var properties: [Property] = []
  var nested: [Nested] = []
  var key: Key?

  /// With everything in the order of the names: one for all selections of the same.
  var sorted: ResultShape {
    var sorted = self
    sorted.properties.sort { $0.name < $1.name }
    sorted.nested = nested.map { Nested(name: $0.name, shape: $0.shape.sorted) }.sorted { $0.name < $1.name }
    return sorted
  }
}
