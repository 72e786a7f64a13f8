package import JSON
import Text

/// The field of an answer that holds what was asked for. Its name depends on the model (`adventureList`,
/// `personByPath`), its form does not.
package struct ContentRoot: Equatable, Sendable {
  /// The root fields that AEM generates for each model of content fragments.
  package enum Form: String, Sendable, CaseIterable {
    /// A list: the field ends in `List`, and its fragments are in `items`.
    case list = "List"
    /// One fragment by its path: the field ends in `ByPath`, and the fragment is in `item`.
    case byPath = "ByPath"
    /// One fragment by its identifier: the field ends in `ById`, and the fragment is in `item`.
    case byID = "ById"
    /// `…Paginated`: `edges` and `pageInfo`.
    case paginated = "Paginated"
  }

  /// The name of the field.
  package let name: String
  /// The form of the query, found from the end of the field's name.
  package let form: Form
  /// The value of the field: an object, or null.
  package let value: JSONValue
  /// The errors of the answer, which explain a field that is null.
  private let errors: [QueryError]

  /// The model's name as GraphQL writes it: `adventure` for `adventureList`. An alias in the query replaces the name.
  package var model: String {
    name.hasSuffix(form.rawValue) ? String(name.dropLast(form.rawValue.count)) : name
  }

  /// Every field that has one of the forms, by its name, else by what it holds.
  package static func all(in result: ContentResult) -> [ContentRoot] {
    (result.data.objectValue ?? JSONObject()).compactMap { name, value in
      let byName = Form.allCases.first { name.hasSuffix($0.rawValue) && name.utf8.count > $0.rawValue.utf8.count }
      let isPossible = value.isNull || value.objectValue != nil
      guard let form = (isPossible ? byName : nil) ?? Form(of: value) else { return nil }
      return ContentRoot(name: name, form: form, value: value, errors: result.errors)
    }
  }

  private init(name: String, form: Form, value: JSONValue, errors: [QueryError]) {
    self.name = name
    self.form = form
    self.value = value
    self.errors = errors
  }

  /// Finds the single field of an answer.
  ///
  /// - Throws: `unexpectedContent` for no field and for more than one; the message names them.
  package init(of result: ContentResult) throws(ContentError) {
    let roots = Self.all(in: result)
    guard let root = roots.first, roots.count == 1 else {
      let names = (roots.isEmpty ? result.data.objectValue?.keys ?? [] : roots.map(\.name)).prefix(8).map {
        "\"\(quotable($0))\""
      }
      let found = names.isEmpty ? "nothing" : names.joined(separator: ", ")
      throw ContentError(
        .unexpectedContent,
        roots.isEmpty
          ? "The answer holds no list, fragment or page, but \(found)."
          : "The answer holds more than one list, fragment or page: \(found).",
        recovery: "Run a query with one field that ends in List, ByPath, ById or Paginated.")
    }
    self = root
  }

  /// Refuses content of another model.
  ///
  /// - Parameter expected: the name as in `adventureList`: `adventure`.
  /// - Throws: `unexpectedContent`.
  package func require(model expected: String) throws(ContentError) {
    guard model != expected else { return }
    throw ContentError(
      .unexpectedContent,
      "The answer holds \"\(quotable(name))\" where content of the model \"\(expected)\" is expected.",
      recovery: "Run a query over the model \"\(expected)\".")
  }

  /// The fragments, in the order of the server: `items`, the nodes of `edges`, or the one `item`. One that is null
  /// stays null, and no item is no element.
  ///
  /// - Throws: `unexpectedContent` when the field, or what it should hold, is null or of another kind.
  package func fragments() throws(ContentError) -> [JSONValue] {
    let member = form.member
    guard !value.isNull else { throw missing("\"\(quotable(name))\" is null") }
    guard let found = value[member] else { throw missing("\"\(quotable(name))\" has no \"\(member)\"") }
    switch form {
    case .byPath, .byID:
      if found.isNull { return [] }
      guard found.objectValue != nil else { throw missing("\"\(quotable(name)).\(member)\" is \(found.kind)") }
      return [found]
    case .list, .paginated:
      guard let elements = found.arrayValue else { throw missing("\"\(quotable(name)).\(member)\" is \(found.kind)") }
      return form == .list ? elements : elements.map { $0["node"] ?? .null }
    }
  }

  private func missing(_ what: String) -> ContentError {
    let own = errors.first { $0.path.first == .field(name) } ?? errors.first
    let reason = own.map { ": \($0)" } ?? ", and no error says why."
    return ContentError(
      .unexpectedContent, "\(what) in the answer\(reason)",
      recovery: "Check the persisted query, and that the user may read the fragments.", errors: errors)
  }
}

extension ContentRoot.Form {
  /// The member that holds the fragments.
  package var member: String {
    switch self {
    case .list: "items"
    case .byPath, .byID: "item"
    case .paginated: "edges"
    }
  }

  /// Finds the form from the members of a field's value, for fields with an alias.
  fileprivate init?(of value: JSONValue) {
    if value["items"]?.arrayValue != nil {
      self = .list
    } else if value["edges"]?.arrayValue != nil {
      self = .paginated
    } else if value["item"]?.objectValue != nil {
      self = .byPath
    } else {
      return nil
    }
  }
}
