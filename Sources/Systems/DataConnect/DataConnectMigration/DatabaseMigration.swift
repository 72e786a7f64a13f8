package import DataConnectCompiler

/// Changes a database into what a schema says.
package enum DatabaseMigration {
  /// Everything that an empty database needs, as one script, to be run in one transaction.
  ///
  /// - Parameters:
  ///   - namespace: the schema of the database, such as `public`, which is made where it is not there.
  ///   - vectors: how the database holds vectors.
  package static func creation(
    of schema: CompiledSchema, namespace: String, vectors: VectorSupport = .arrays
  ) -> String {
    let creation = Creation(ColumnContext(schema: schema, namespace: namespace, vectors: vectors))
    var script = creation.hasVectors ? vectors.script : []
    if namespace != "public" { script.append("CREATE SCHEMA IF NOT EXISTS \(SQL.name(namespace))") }
    script.append(searchPath(namespace))
    script += creation.items.map(\.sql)
    return script.map { $0 + ";\n" }.joined()
  }

  /// What names in views and in defaults of SQL are looked for in, until the transaction ends.
  static func searchPath(_ namespaces: String...) -> String {
    "SET LOCAL search_path TO \(SQL.names(namespaces + (namespaces.contains("public") ? [] : ["public"])))"
  }
}
