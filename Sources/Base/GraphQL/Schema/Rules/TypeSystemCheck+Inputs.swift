extension TypeSystemCheck {
  /// The largest number of values in a default, with nested defaults filled in, and the greatest depth.
  private static var largest: (values: Int, depth: Int) { (10_000, GraphQLLimits.deepest) }

  private struct Expansion {
    var values = 0
    var depth = 0
  }

  /// A default of an input field that leaves fields out takes theirs: that must end, and soon.
  func defaultValues(_ errors: inout ErrorList) {
    var fields: [String: (input: InputValueNode, next: [String])] = [:]
    var names: [String] = []
    for type in types where type.kind == .inputObject {
      for input in type.inputs {
        guard let value = input.defaultValue else { continue }
        let name = "\(type.name).\(input.name.text)"
        var next: [String] = []
        follow(value, input.type, &next)
        if fields.updateValue((input, next), forKey: name) == nil { names.append(name) }
      }
    }
    // What is finished, and what is that or on the way to where we are: chains may be too long for recursion.
    var (done, onWay): ([String: Expansion], Set<String>) = ([:], [])
    for start in names where done[start] == nil {
      var way: [(name: String, rest: ArraySlice<String>)] = [(start, fields[start]?.next[...] ?? [])]
      onWay = [start]
      while let last = way.indices.last {
        let name = way[last].name
        guard let next = way[last].rest.popFirst() else {
          way.removeLast()
          done[name] = expansion(of: fields[name]?.next ?? [], done)
          if let field = fields[name]?.input, let size = done[name] { report(name, field, size, &errors) }
          continue
        }
        guard let field = fields[next], done[next] == nil else { continue }
        if onWay.insert(next).inserted {
          way.append((next, field.next[...]))
        } else {
          errors.add(
            "The default of \(next.shownInError) contains itself, by the defaults that it takes.",
            fix: "Write out what it leaves out, or remove one of the defaults.", code: "DefaultValueCycles",
            at: field.input.name.position)
        }
      }
    }
  }

  private func expansion(of next: [String], _ done: [String: Expansion]) -> Expansion {
    var size = Expansion(values: 1, depth: 1)
    for name in next {
      let inner = done[name] ?? Expansion()
      size.values = min(Self.largest.values + 1, size.values + inner.values)
      size.depth = max(size.depth, min(Self.largest.depth, inner.depth) + 1)
    }
    return size
  }

  private func report(_ name: String, _ field: InputValueNode, _ size: Expansion, _ errors: inout ErrorList) {
    if size.values <= Self.largest.values && size.depth <= Self.largest.depth { return }
    errors.add(
      "The default of \(name.shownInError) is too large with the defaults that it takes.",
      fix: "Write out what it leaves out, or remove some of the defaults.", code: "Limits", at: field.name.position)
  }

  /// Appends the input fields that a value omits, so that their defaults apply.
  private func follow(_ value: ValueNode, _ type: TypeNode, _ next: inout [String]) {
    switch value.kind {
    case .list(let values): for value in values { follow(value, type, &next) }
    case .object(let given):
      guard let object = parts.types[type.name.text], object.kind == .inputObject else { return }
      for input in object.inputs {
        if let value = given[input.name.text] {
          follow(value, input.type, &next)
        } else if input.defaultValue != nil {
          next.append("\(object.name).\(input.name.text)")
        }
      }
    default: break
    }
  }

  /// An input object that needs one of its own kind, be it by others, could never be written.
  func inputCycles(_ errors: inout ErrorList) {
    var isDone: Set<String> = []
    for start in types where start.kind == .inputObject && !isDone.contains(start.name) {
      // The way from the start to where we are, with the fields that each step has still to follow.
      var way: [(type: SchemaType, rest: ArraySlice<InputValueNode>)] = [(start, start.inputs[...])]
      var onWay: [String: Int] = [start.name: 0]
      while let last = way.indices.last {
        guard let field = way[last].rest.popFirst() else {
          isDone.insert(way[last].type.name)
          way.removeLast()
          continue
        }
        guard case .nonNull(.named(let name)) = field.type, field.defaultValue == nil, !isDone.contains(name.text),
          let type = parts.types[name.text], type.kind == .inputObject
        else { continue }
        if let first = onWay[type.name] {
          let names = way[first...].map(\.type.name).joined(separator: ", ")
          errors.add(
            "The input types \(names.shownInError) need each other without end.",
            fix: "Let \"\(field.name.text.shownInError)\" be null, or make it a list.", code: "InputCycles",
            at: field.name.position)
        } else {
          onWay[type.name] = way.count
          way.append((type, type.inputs[...]))
        }
      }
    }
  }

  /// Reports required arguments and input fields that are deprecated, since no caller can omit them.
  func requiredInputs(_ errors: inout ErrorList) {
    for (owner, input) in inputs {
      guard case .nonNull = input.type, input.defaultValue == nil, let directive = input.directives["deprecated"]
      else { continue }
      errors.add(
        "\(owner.shownInError) is required and cannot be deprecated.", fix: "Let it be null, or give it a default.",
        code: "RequiredInputs", at: directive.position)
    }
  }
}
