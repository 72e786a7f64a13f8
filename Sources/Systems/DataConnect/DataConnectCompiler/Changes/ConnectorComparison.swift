import GraphQL

/// Finds what breaks between two connectors.
struct ConnectorComparison {
  let old: CompiledConnector
  let new: CompiledConnector
  private(set) var changes: [BreakingChange] = []
  private var enumerations: Set<String> = []
  private static let limit = 500

  init(old: CompiledConnector, new: CompiledConnector) {
    self.old = old
    self.new = new
  }

  mutating func run() {
    for operation in old.operations { compare(operation) }
    for name in enumerations.sorted() { compareEnumeration(name) }
  }

  private mutating func add(_ operation: String?, _ message: String, fix: String, at location: SourceLocation?) {
    if changes.count >= Self.limit { return }
    changes.append(BreakingChange(operation: operation, message: message, fix: fix, location: location))
  }

  private func place(_ position: SourcePosition) -> SourceLocation? { new.document.sources.location(of: position) }
  private func oldPlace(_ position: SourcePosition) -> SourceLocation? { old.document.sources.location(of: position) }

  // MARK: Operations

  private mutating func compare(_ before: CompiledOperation) {
    let name = before.name
    guard let after = new.operation(name) else {
      return add(
        name, "The \(before.kind.rawValue) \(name.quoted) is gone.",
        fix: "Keep it, with @retired, as long as there are clients that call it.",
        at: oldPlace(before.node.position))
    }
    if after.kind != before.kind {
      return add(
        name, "\(name.quoted) was a \(before.kind.rawValue) and is a \(after.kind.rawValue).",
        fix: "Give the new one another name.", at: place(after.node.position))
    }
    for variable in before.variables { compare(variable, before, after) }
    for variable in after.variables where variable.isRequired && before.variable(variable.name) == nil {
      add(
        name, "\(name.quoted) wants a variable $\(variable.name), which old clients do not give.",
        fix: "Give it a default value, or make it nullable.", at: place(variable.position))
    }
    compare(before.fields, after.fields, name, "", place(after.node.position))
  }

  private mutating func compare(
    _ before: CompiledVariable, _ old: CompiledOperation, _ new: CompiledOperation
  ) {
    guard let after = new.variable(before.name) else {
      return add(
        new.name, "\(new.name.quoted) has no variable $\(before.name) any more.",
        fix: "Keep it, with @retired.", at: place(new.node.position))
    }
    if after.isRequired, !before.isRequired {
      add(
        new.name, "$\(before.name) of \(new.name.quoted) has to be given, and did not have to.",
        fix: "Give it a default value, or make it nullable.", at: place(after.position))
    } else if !after.type.accepts(before.type, ignoringNull: after.defaultValue != nil || !before.type.isNonNull) {
      add(
        new.name,
        "$\(before.name) of \(new.name.quoted) was \(before.type.shownType) and is \(after.type.shownType).",
        fix: "Add another variable, with a default value.", at: place(after.position))
    } else {
      compareAllowed(before, after, new.name)
      compareKey(before, after, new.name)
      var seen: Set<String> = []
      compareInput(before.type.name.text, "$\(before.name)", new.name, place(after.position), &seen)
    }
  }

  /// Compares what may be written through a variable.
  private mutating func compareAllowed(_ before: CompiledVariable, _ after: CompiledVariable, _ operation: String) {
    let allowed = Set((after.allowed?.fields ?? []).flatMap { $0.paths("") })
    for path in (before.allowed?.fields ?? []).flatMap({ $0.paths("") }) where !allowed.contains(path) {
      add(
        operation, "$\(before.name) of \(operation.quoted) may not hold \(path.quoted) any more.",
        fix: "Put it back into @allow.", at: place(after.position))
    }
    if let count = after.allowed?.maxCount, count < before.allowed?.maxCount ?? .max {
      add(
        operation, "$\(before.name) of \(operation.quoted) may hold only \(count) rows.",
        fix: "Raise maxCount of @allow.", at: place(after.position))
    }
  }

  /// Compares the key of a row that clients give: without one of its columns it is none.
  private mutating func compareKey(_ before: CompiledVariable, _ after: CompiledVariable, _ operation: String) {
    let name = before.type.name.text
    guard name.hasSuffix("_Key") else { return }
    let table = String(name.dropLast(4))
    guard let was = old.schema.table(table), let now = new.schema.table(table) else { return }
    for column in now.key where !was.key.contains(column) {
      add(
        operation,
        "$\(before.name) of \(operation.quoted) has to hold \(column.quoted), which old clients do not give.",
        fix: "Keep the key of \(table).", at: place(after.position))
    }
  }

  /// Compares an input type of the same name, and those inside of it.
  private mutating func compareInput(
    _ name: String, _ path: String, _ operation: String, _ location: SourceLocation?, _ seen: inout Set<String>
  ) {
    guard seen.insert(name).inserted, let before = old.schema.graphQL.type(name) else { return }
    if before.kind == .enumeration { enumerations.insert(name) }
    guard before.kind == .inputObject, let after = new.schema.graphQL.type(name) else { return }
    for field in before.inputs {
      let there = "\(name).\(field.name.text)"
      guard let now = after.input(field.name.text) else {
        add(
          operation, "\(there), which \(path) of \(operation.quoted) may have, is gone.",
          fix: "Keep the column.", at: location)
        continue
      }
      if !now.type.accepts(field.type, ignoringNull: false) {
        add(
          operation,
          "\(there), which \(path) of \(operation.quoted) may have, was \(field.type.shownType) and is "
            + "\(now.type.shownType).", fix: "Add another column.", at: location)
      }
      compareInput(field.type.name.text, path, operation, location, &seen)
    }
  }

  // MARK: Results

  private mutating func compare(
    _ before: [CompiledField], _ after: [CompiledField], _ operation: String, _ path: String,
    _ location: SourceLocation?
  ) {
    let found = Dictionary(after.filter { !$0.isRedacted }.map { ($0.responseName, $0) }) { first, _ in first }
    for field in before where !field.isRedacted {
      let there = path + field.responseName
      guard let now = found[field.responseName] else {
        add(
          operation, "The result of \(operation.quoted) has no \(there.quoted) any more.",
          fix: "Keep it, or give the new operation another name.", at: location)
        continue
      }
      if now.isConditional, !field.isConditional {
        add(
          operation, "\(there.quoted) of \(operation.quoted) may be missing, and was always there.",
          fix: "Remove @skip and @include.", at: place(now.position))
      }
      if !now.hasResult(of: field) {
        add(
          operation,
          "\(there.quoted) of \(operation.quoted) was \(field.type.shownType) and is "
            + "\(now.type.shownType).", fix: "Give the new field an alias.", at: place(now.position))
      }
      compareLeaf(field, operation, there, place(now.position))
      compare(field.fields, now.fields, operation, there + ".", place(now.position))
    }
  }

  /// Enumerations, and keys that mutations give.
  private mutating func compareLeaf(
    _ field: CompiledField, _ operation: String, _ path: String, _ location: SourceLocation?
  ) {
    let name = field.type.name.text
    if old.schema.enumeration(name) != nil { enumerations.insert(name) }
    guard name.hasSuffix("_KeyOutput") else { return }
    let table = String(name.dropLast(10))
    guard let before = old.schema.table(table), let after = new.schema.table(table) else { return }
    func key(_ table: Table) -> [String] {
      table.key.compactMap(table.column).map { "\($0.name): \($0.type.text)" }
    }
    if key(before) != key(after) {
      add(
        operation,
        "The key that \(path.quoted) of \(operation.quoted) gives was "
          + "\(key(before).joined(separator: ", ")) and is \(key(after).joined(separator: ", ")).",
        fix: "Keep the key of \(table).", at: location)
    }
  }

  private mutating func compareEnumeration(_ name: String) {
    guard let before = old.schema.enumeration(name), let after = new.schema.enumeration(name) else { return }
    let location = new.schema.sources.location(of: after.position)
    let gone = before.values.filter { !after.values.contains($0) }
    for value in gone {
      add(
        nil, "The value \(value.quoted) of the enumeration \(name.quoted) is gone.",
        fix: "Keep it: old clients still send it.", at: location)
    }
    let kept = before.values.filter(after.values.contains)
    if kept != after.values.filter(before.values.contains) {
      add(
        nil, "The values of the enumeration \(name.quoted) are in another order.",
        fix: "Put them back: rows are sorted by it.", at: location)
    }
  }
}

extension AllowedField {
  /// Returns the paths of the fields, each with those of its parents.
  fileprivate func paths(_ prefix: String) -> [String] {
    fields.isEmpty ? [prefix + name] : fields.flatMap { $0.paths("\(prefix)\(name).") }
  }
}
