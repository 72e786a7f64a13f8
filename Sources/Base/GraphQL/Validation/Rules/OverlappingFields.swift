import Text

extension ValidationRule {
  /// Fields with the same response name must be mergeable (GraphQL specification, 5.3.2).
  static let overlappingFields = ValidationRule(name: "OverlappingFieldsCanBeMerged") { input, errors in
    guard input.isBounded else { return }
    var merge = FieldMerge(input)
    var reached: Set<Int> = []
    for operation in input.indexedOperations where !errors.isFull {
      reached.formUnion(operation.reached)
      merge.check(operation.node.selections, input.schema.root(operation.node.kind), &errors)
    }
    // What no operation uses is checked for itself.
    for (index, definition) in input.definitions.enumerated() where !reached.contains(index) && !errors.isFull {
      guard case .fragment(let node) = definition else { continue }
      merge.check(node.selections, input.schema.type(node.typeCondition.text), &errors)
    }
  }
}

/// Looks at all fields of one response name together, level by level, and not at each pair of them.
///
/// First all fields of a name must have values of one shape; then those that one object can have must be the same field
/// with the same arguments. A set of fields that was looked at is not looked at again.
struct FieldMerge {
  struct Entry {
    let node: FieldNode
    let parent: SchemaType?
    let type: TypeNode?
  }

  private let input: ValidationInput
  private var checkedShapes: Set<[SourcePosition]> = []
  private var checkedParents: Set<[SourcePosition]> = []
  /// How many fields are looked at yet.
  private var stepsLeft: Int

  /// The pairs that were reported: what has another shape has another name too.
  private var reported: Set<[SourcePosition]> = []

  private static let code = "OverlappingFieldsCanBeMerged"
  private static let fix = "Give one of them an alias."

  init(_ input: ValidationInput) {
    self.input = input
    stepsLeft = 20 * min(input.limits.fields, 1 << 20)
  }

  mutating func check(_ selections: [SelectionNode], _ parent: SchemaType?, _ errors: inout ErrorList) {
    let groups = collect([(selections, parent)])
    shapes(groups, &errors)
    sameFields(groups, &errors)
    if stepsLeft < 0 {
      errors.add(
        "The fields of this selection overlap in too many ways.", fix: "Use fewer fragments with the same fields.",
        code: "Limits", at: selections.first?.position ?? .none)
    }
  }

  /// The fields of some selections by response name, fragments put in, each node once.
  private mutating func collect(_ selections: [([SelectionNode], SchemaType?)]) -> [[Entry]] {
    var (groups, places): ([[Entry]], [String: Int]) = ([], [:])
    var (seen, fragments): (Set<SourcePosition>, Set<String>) = ([], [])
    var waiting = Array(selections.reversed().map { ($0.0[...], $0.1) })
    while let (rest, parent) = waiting.popLast() {
      guard let next = rest.first, stepsLeft >= 0 else { continue }
      waiting.append((rest.dropFirst(), parent))
      switch next {
      case .inline(let node):
        waiting.append((node.selections[...], node.typeCondition.map { input.schema.type($0.text) } ?? parent))
      case .spread(let node):
        guard let fragment = input.fragments[node.name.text]?.node, fragments.insert(node.name.text).inserted
        else { continue }
        waiting.append((fragment.selections[...], input.schema.type(fragment.typeCondition.text)))
      case .field(let node):
        stepsLeft -= 1
        guard seen.insert(node.position).inserted else { continue }
        let definition = parent.flatMap { input.schema.field(node.name.text, of: $0) }
        let entry = Entry(node: node, parent: parent, type: definition?.type)
        if let place = places[node.responseName] {
          groups[place].append(entry)
        } else {
          places[node.responseName] = groups.count
          groups.append([entry])
        }
      }
    }
    return groups
  }

  private mutating func below(_ entries: [Entry]) -> [[Entry]] {
    collect(
      entries.filter { !$0.node.selections.isEmpty }.map { entry in
        (entry.node.selections, entry.type.flatMap { input.schema.type($0.name.text) })
      })
  }

  private mutating func shapes(_ groups: [[Entry]], _ errors: inout ErrorList) {
    for group in groups where stepsLeft >= 0 && !errors.isFull {
      guard checkedShapes.insert(group.map(\.node.position)).inserted else { continue }
      if let first = group.first(where: { $0.type != nil }), let type = first.type {
        for other in group {
          guard let otherType = other.type, !hasSameShape(type, otherType) else { continue }
          report(
            first, other,
            "their types \(GraphQLPrinter.text(of: type).shownInError) and "
              + "\(GraphQLPrinter.text(of: otherType).shownInError) do not fit", &errors)
        }
      }
      shapes(below(group), &errors)
    }
  }

  private mutating func sameFields(_ groups: [[Entry]], _ errors: inout ErrorList) {
    for group in groups where stepsLeft >= 0 && !errors.isFull {
      for part in byObject(group) {
        guard checkedParents.insert(part.map(\.node.position)).inserted else { continue }
        if let first = part.first, part.count > 1 {
          let arguments = arguments(first.node)
          for other in part.dropFirst() {
            if other.node.name.text != first.node.name.text {
              report(
                first, other,
                "\(first.node.name.text.quoted) and \(other.node.name.text.quoted) are different fields", &errors)
            } else if self.arguments(other.node) != arguments {
              report(first, other, "their arguments differ", &errors)
            }
          }
        }
        sameFields(below(part), &errors)
      }
    }
  }

  /// The fields that one object may have: those of its own type, and those of interfaces and unions.
  private func byObject(_ group: [Entry]) -> [[Entry]] {
    let shared = group.filter { $0.parent?.kind != .object }
    let objects = Dictionary(grouping: group.filter { $0.parent?.kind == .object }) { $0.parent?.name ?? "" }
    if objects.isEmpty { return [shared] }
    return objects.keys.sorted().map { (objects[$0] ?? []) + shared }
  }

  private func hasSameShape(_ one: TypeNode, _ other: TypeNode) -> Bool {
    switch (one, other) {
    case (.nonNull(let inner), .nonNull(let otherInner)): return hasSameShape(inner, otherInner)
    case (.list(let inner, _), .list(let otherInner, _)): return hasSameShape(inner, otherInner)
    case (.named(let name), .named(let otherName)):
      if name.text == otherName.text { return true }
      guard let type = input.schema.type(name.text), let otherType = input.schema.type(otherName.text) else {
        return true
      }
      return type.isComposite && otherType.isComposite
    default: return false
    }
  }

  private func arguments(_ node: FieldNode) -> [ExactText] {
    node.arguments.map { ExactText("\($0.name.text): \(GraphQLPrinter.text(of: $0.value))") }.sorted()
  }

  private mutating func report(_ first: Entry, _ other: Entry, _ reason: String, _ errors: inout ErrorList) {
    guard reported.insert([first.node.position, other.node.position]).inserted else { return }
    errors.add(
      "Two fields have the name \(first.node.responseName.quoted) in the response, but \(reason).", fix: Self.fix,
      code: Self.code, at: [first.node.position, other.node.position])
  }
}
