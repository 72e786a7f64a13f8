import Pattern
import Text

/// Finds errors that show in an expression without its values.
struct CELCheck {
  /// The names at the top; `nil` for any.
  let names: [String]?

  func check(_ node: CELNode, _ variables: [String] = []) throws(CELError) {
    var variables = variables
    switch node.kind {
    case .name(let name):
      guard let names, !names.contains(name), !variables.contains(name), !CELValue.typeNames.contains(name) else {
        break
      }
      let hint =
        didYouMean(nearMisses(of: name, in: names + variables)) ?? "There are \(names.joined(separator: ", "))."
      throw CELError("There is no name \(name.shownInMessage(limit: 40)). \(hint)", at: node.offset)
    case .call(.matches, let operands):
      guard case .literal(.string(let pattern)) = operands[1].kind else { break }
      do { _ = try RegularPattern(pattern, .re2) } catch { throw CELError(error.message, at: operands[1].offset) }
    case .map(let entries):
      for (key, _) in entries {
        guard case .literal(let value) = key.kind else { continue }
        if value.key == nil { throw CELError("\(value.typeName) is not a key of a map.", at: key.offset) }
      }
    case .macro(_, let range, let variable, let operands):
      try check(range, variables)
      variables.append(variable)
      for operand in operands { try check(operand, variables) }
      return
    default: break
    }
    for operand in node.operands { try check(operand, variables) }
  }
}
