import Text

/// The text of a full-text search: the searchable columns of a table in one language.
package struct SearchDocument: Sendable, Hashable {
  /// A text search configuration of PostgreSQL, such as `english`.
  package let language: String
  /// In the order of the table.
  package let columns: [Column]

  /// The language as an expression.
  package var configuration: String { "\(language.quoted("'"))::regconfig" }

  /// The document as an expression: the same for the index and for the queries that are to use it.
  ///
  /// - Parameter alias: what the table is called in the statement, quoted.
  package func sql(alias: String? = nil) -> String {
    let texts = columns.map { column in
      let name = column.sqlName.quoted("\"")
      return "coalesce(\(alias.map { "\($0)." } ?? "")\(name), '')"
    }
    return "to_tsvector(\(configuration), \(texts.joined(separator: " || ' ' || ")))"
  }
}

extension Table {
  /// The search documents, one for each language of the searchable columns, sorted by language.
  package var searchDocuments: [SearchDocument] {
    let languages = Set(columns.compactMap(\.searchLanguage))
    return languages.sorted { $0.precedes($1) }.map { language in
      SearchDocument(language: language, columns: columns.filter { $0.searchLanguage == language })
    }
  }
}
