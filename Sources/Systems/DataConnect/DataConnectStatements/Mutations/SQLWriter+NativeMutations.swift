import Text

extension SQLWriter {
  /// A developer's own statement that writes: `_execute`, `_executeReturning`, `_executeReturningFirst`.
  ///
  /// What it returns is read of it as part of a greater one, so it has to be `INSERT`, `UPDATE`, `DELETE` or `SELECT`, and
  /// have no such part that writes itself.
  func nativeMutation(_ name: String, _ arguments: InputObject) throws(StatementError) -> RootStatement {
    let sql = try nativeText(arguments)
    try bind(nativeParameters: arguments)
    // Behind a line of its own, lest a comment at the end takes in what follows.
    let returned: SQLText = "WITH r AS (\(sql)\n)"
    switch name {
    case "_execute":
      let whole = try statement(sql)
      return RootStatement(text: whole.text, parameters: whole.parameters, answer: .count)
    case "_executeReturning":
      return try statement(
        """
        \(returned) SELECT coalesce(json_agg(to_json(a.*)), '[]'::json) \
        FROM (SELECT * FROM r LIMIT \(context.limits.rows)) AS a
        """)
    case "_executeReturningFirst": return try statement("\(returned) SELECT to_json(r.*) FROM r LIMIT 1")
    default: throw StatementError("No table has a field \(name.shownInMessage()) for mutations.")
    }
  }
}
