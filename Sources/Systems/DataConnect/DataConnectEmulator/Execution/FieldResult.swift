import DataConnectCompiler
import GraphQL
import JSON

/// The result of a root field.
struct FieldResult: Sendable {
  let plan: FieldPlan
  /// JSON text, without what is redacted; null for a field that failed.
  var text: [UInt8] = FieldResult.null
  var error: OperationError?
  var notes: [EntityNote] = []
  /// The rows that it has written.
  var writes: [String] = []

  static let null = Array("null".utf8)

  init(_ plan: FieldPlan) { self.plan = plan }

  init(_ plan: FieldPlan, _ error: OperationError) {
    self.plan = plan
    self.error = error
  }

  /// Marks a completed step as rolled back.
  mutating func rollBack() { withdraw("A later step failed, and this one was undone (rolled back)") }

  /// Marks a step as aborted because another field failed: it is not executed, or its result not shown.
  mutating func abort() { withdraw("Another step failed, and this one does not count (aborted)") }

  private mutating func withdraw(_ message: String) {
    text = Self.null
    notes = []
    writes = []
    // Of what is redacted clients know nothing.
    if error == nil, !plan.field.isRedacted {
      error = OperationError(.aborted, message, path: [.name(plan.name)])
    }
  }
}

/// A value as the database wrote it, parsed only when a check reads it.
struct FieldText: Sendable {
  var text: [UInt8]
  var tree: JSONValue?

  init(text: [UInt8], isRead: Bool) throws(OperationError) {
    self.text = text
    if !isRead { return }
    do throws(JSONError) {
      tree = try JSONCoding.parse(text, maximumDepth: 256)
    } catch {
      throw OperationError(.internalFailure, "The database answered no JSON.")
    }
  }

  init(_ tree: JSONValue) {
    self.tree = tree
    text = Array(JSONCoding.text(of: tree).utf8)
  }
}
