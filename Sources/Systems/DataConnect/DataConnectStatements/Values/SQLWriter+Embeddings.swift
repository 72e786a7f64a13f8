import DataConnectCompiler
import JSON

extension SQLWriter {
  /// Binds the vector for a `Vector_Embed`.
  func bind(embedding value: InputValue, for column: Column) throws(StatementError) -> SQLText {
    try bind(value, as: type(of: column).sql) { [schema] value throws(StatementError) in
      try schema.text(Self.embedding(value, for: column), column.type.base)
    }
  }

  /// Returns the vector for a `Vector_Embed`: `{model: "…", text: "…"}`. The text may be a client's.
  ///
  /// - Parameter column: the column whose size the vector has.
  /// - Throws: `StatementError` when model or text are missing, or nothing says the column's size.
  static func embedding(_ value: InputValue, for column: Column) throws(StatementError) -> InputValue {
    let object = try value.object()
    guard let model = object.given("model"), let text = object.given("text") else {
      throw value.error("A vector is made of a model and a text.")
    }
    _ = try model.text()
    guard let size = column.vectorSize else {
      throw value.error("Nothing says how many numbers \(column.name) has: give the vector itself, or @col(size: …).")
    }
    let vector = StandInEmbedding.vector(of: try text.text(), size: size)
    return InputValue(.array(vector.map { .double($0) }), path: value.path)
  }
}

extension Column {
  /// How many numbers its vectors have; `nil` where the developer named another type.
  var vectorSize: Int? {
    sqlType.hasPrefix("vector(") ? Int(sqlType.dropFirst(7).prefix { $0.isNumber }) : nil
  }
}
