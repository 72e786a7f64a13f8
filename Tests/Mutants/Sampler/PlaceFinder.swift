import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds the places of one file by its syntax.
final class PlaceFinder: SyntaxVisitor {
  private let path: String
  private let bytes: [UInt8]
  private let lineStarts: [Int]
  private(set) var places: [Place] = []

  /// - Parameter text: of a file of Swift.
  static func places(in text: String, path: String) -> [Place] {
    let tree = OperatorTable.standardOperators.foldAll(Parser.parse(source: text)) { _ in }
    let finder = PlaceFinder(path: path, text: text)
    finder.walk(tree)
    return finder.places
  }

  private init(path: String, text: String) {
    self.path = path
    let bytes = Array(text.utf8)
    self.bytes = bytes
    lineStarts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    super.init(viewMode: .sourceAccurate)
  }

  // MARK: What the places are made of

  private func range(_ node: some SyntaxProtocol) -> Range<Int> {
    node.positionAfterSkippingLeadingTrivia.utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset
  }

  func text(_ node: some SyntaxProtocol) -> String { String(decoding: bytes[range(node)], as: UTF8.self) }

  /// - Parameter mutant: empty removes a statement.
  func add(_ kind: Place.Operator, _ node: some SyntaxProtocol, _ mutant: String) {
    let range = range(node)
    let lines = line(of: range.lowerBound)...line(of: max(range.lowerBound, range.upperBound - 1))
    places.append(
      Place(path: path, range: range, kind: kind, original: text(node), mutant: mutant, lines: lines))
  }

  /// The line of a byte, from 1.
  private func line(of offset: Int) -> Int {
    var (low, high) = (0, lineStarts.count)
    while low < high {
      let middle = (low + high) / 2
      if lineStarts[middle] > offset { high = middle } else { low = middle + 1 }
    }
    return low
  }

  // MARK: What is left alone

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  private static let assertions: Set<String> = ["assert", "assertionFailure", "precondition", "preconditionFailure"]
  private func isAssertion(_ node: some SyntaxProtocol) -> Bool {
    guard let call = node.as(FunctionCallExprSyntax.self),
      let name = call.calledExpression.as(DeclReferenceExprSyntax.self)
    else { return false }
    return Self.assertions.contains(name.baseName.text)
  }

  // MARK: Expressions

  private static let opposites = [
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+",
  ]

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    let (left, right) = (node.leftOperand, node.rightOperand)
    guard let name = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else { return .visitChildren }
    if name == "??" { add(.fallback, node, text(right)) }
    guard let other = Self.opposites[name] else { return .visitChildren }
    let kind: Place.Operator =
      switch name {
      case "==", "!=": .equality
      case "&&", "||": .logic
      case "+", "-": .arithmetic
      default: .bound
      }
    if kind == .arithmetic, !left.is(IntegerLiteralExprSyntax.self), !right.is(IntegerLiteralExprSyntax.self) {
      return .visitChildren
    }
    add(kind, node, "\(text(left)) \(other) \(text(right))")
    return .visitChildren
  }

  override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    if node.operator.text == "!", node.parent?.is(ConditionElementSyntax.self) == false {
      add(.condition, node, text(node.expression))
    }
    // A negative number is one literal.
    return node.expression.is(IntegerLiteralExprSyntax.self) ? .skipChildren : .visitChildren
  }

  override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
    add(
      .branches, node, "(\(text(node.condition))) ? (\(text(node.elseExpression))) : (\(text(node.thenExpression)))")
    return .visitChildren
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    add(.constant, node, node.literal.text == "true" ? "false" : "true")
    return .skipChildren
  }

  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    let digits = node.literal.text.filter { $0 != "_" }
    if let value = Int(digits) { add(.constant, node, "\(value + 1)") }
    return .skipChildren
  }

  private static let ends: [String: String] = {
    let pairs = [
      ("first", "last"), ("firstIndex", "lastIndex"), ("min", "max"), ("prefix", "suffix"),
      ("hasPrefix", "hasSuffix"), ("dropFirst", "dropLast"), ("removeFirst", "removeLast"), ("popFirst", "popLast"),
      ("lowerBound", "upperBound"), ("startIndex", "endIndex"),
    ]
    return Dictionary(pairs + pairs.map { ($0.1, $0.0) }, uniquingKeysWith: { first, _ in first })
  }()

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    guard let base = node.base, let other = Self.ends[node.declName.baseName.text] else { return .visitChildren }
    let whole = node.parent?.as(FunctionCallExprSyntax.self).flatMap { call in
      call.calledExpression.id == node.id ? call : nil
    }
    let rest = bytes[range(node).upperBound..<(whole.map { range($0).upperBound } ?? range(node).upperBound)]
    let mutant = "\(text(base)).\(other)\(String(decoding: rest, as: UTF8.self))"
    if let whole { add(.end, whole, mutant) } else { add(.end, node, mutant) }
    return .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    if isAssertion(node) { return .skipChildren }
    if let name = node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text, name == "min" || name == "max"
    {
      add(.end, node, (name == "min" ? "max" : "min") + text(node).dropFirst(3))
    }
    return .visitChildren
  }

  // MARK: Conditions

  override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
    switch node.condition {
    case .expression(let condition): negate(condition)
    case .optionalBinding(let binding):
      if let value = binding.initializer?.value { add(.nothing, value, "nil") }
    default: break
    }
    return .visitChildren
  }

  override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
    negate(node.condition)
    return .visitChildren
  }

  private func negate(_ condition: ExprSyntax) {
    let name = condition.as(InfixOperatorExprSyntax.self)?.operator.as(BinaryOperatorExprSyntax.self)?.operator.text
    if name == "==" || name == "!=" || condition.is(BooleanLiteralExprSyntax.self) { return }
    if let negation = condition.as(PrefixOperatorExprSyntax.self), negation.operator.text == "!" {
      add(.condition, condition, text(negation.expression))
    } else {
      add(.condition, condition, "!(\(text(condition)))")
    }
  }

  // MARK: Statements

  private static let clearing = [
    "clear", "reset", "remove", "cancel", "forget", "invalidate", "drop", "discard", "close", "finish", "end", "leave",
  ]

  /// Whether a statement is all of a body whose value it is, or of a closure's, whose value it may be.
  private func isValue(_ node: CodeBlockItemSyntax) -> Bool {
    guard let list = node.parent?.as(CodeBlockItemListSyntax.self), list.count == 1 else { return false }
    guard let block = list.parent else { return false }
    if block.is(ClosureExprSyntax.self) || block.is(AccessorBlockSyntax.self) { return true }
    guard let owner = block.parent else { return false }
    if let accessor = owner.as(AccessorDeclSyntax.self) { return accessor.accessorSpecifier.text == "get" }
    return owner.as(FunctionDeclSyntax.self)?.signature.returnClause != nil
  }

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    switch node.item {
    case .expr(let expression): remove(expression, node)
    case .stmt(let statement):
      if let expression = statement.as(ExpressionStmtSyntax.self)?.expression {
        remove(expression, node)
      } else if statement.is(ThrowStmtSyntax.self) || statement.is(ContinueStmtSyntax.self)
        || statement.is(BreakStmtSyntax.self)
        || statement.as(ReturnStmtSyntax.self)?.expression == nil
          && statement.is(ReturnStmtSyntax.self)
      {
        // What a guard does has to leave; a break that is all of a case does nothing.
        if statement.is(BreakStmtSyntax.self), node.parent?.parent?.is(SwitchCaseSyntax.self) == true { break }
        if node.parent?.parent?.parent?.is(GuardStmtSyntax.self) != true { add(.exit, node, "") }
      }
    default: break
    }
    return .visitChildren
  }

  private func remove(_ expression: ExprSyntax, _ node: CodeBlockItemSyntax) {
    var (inner, isAwaited) = (expression, false)
    while true {
      if let attempt = inner.as(TryExprSyntax.self) {
        inner = attempt.expression
      } else if let wait = inner.as(AwaitExprSyntax.self) {
        (inner, isAwaited) = (wait.expression, true)
      } else {
        break
      }
    }
    if let assignment = inner.as(InfixOperatorExprSyntax.self) {
      let name = assignment.operator.as(BinaryOperatorExprSyntax.self)?.operator.text ?? ""
      guard assignment.operator.is(AssignmentExprSyntax.self) || name.hasSuffix("=") && Self.opposites[name] == nil
      else {
        return
      }
      // An initializer has to give every property a value.
      if node.parent?.parent?.parent?.is(InitializerDeclSyntax.self) == true { return }
      let isClear = ["nil", "[]", "[:]", "0", "false"].contains(text(assignment.rightOperand))
      add(isClear ? .clear : .assignment, node, "")
    } else if let call = inner.as(FunctionCallExprSyntax.self), !isAssertion(call) {
      let name =
        call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        ?? call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text ?? ""
      let isClear = Self.clearing.contains { name.hasPrefix($0) }
      if name == "init" || !isClear && isValue(node) { return }
      add(isClear ? .clear : isAwaited ? .awaited : .call, node, "")
    }
  }
}
