extension TypeSystemCheck {
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
          onWay[way[last].type.name] = nil
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
}
