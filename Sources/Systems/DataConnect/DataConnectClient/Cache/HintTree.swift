/// The hints of an answer by place: what is below a value.
final class HintTree {
  private(set) var entity: String?
  private var entities: [String] = []
  private var below: [CacheHint.Step: HintTree] = [:]

  private init() {}

  init(_ hints: [CacheHint]) {
    for hint in hints where hint.entity != nil || !hint.entities.isEmpty {
      var place = self
      for step in hint.path { place = place.grown(at: step) }
      if let entity = hint.entity { place.entity = entity }
      if !hint.entities.isEmpty { place.entities = hint.entities }
    }
  }

  private func grown(at step: CacheHint.Step) -> HintTree {
    if let there = below[step] { return there }
    let grown = HintTree()
    below[step] = grown
    return grown
  }

  func member(_ name: String) -> HintTree? { below.isEmpty ? nil : below[.name(name)] }

  func element(_ index: Int) -> HintTree? { below.isEmpty ? nil : below[.index(index)] }

  /// The entity that an element of the list is.
  func entity(ofElement index: Int) -> String? {
    guard entities.indices.contains(index), !entities[index].isEmpty else { return element(index)?.entity }
    return entities[index]
  }
}
