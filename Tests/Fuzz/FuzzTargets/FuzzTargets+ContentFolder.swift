import ContentRepository

extension FuzzTargets {
  /// Bytes as a fragment, as a model and as a picture: each problem has a place or is of the whole file.
  static func contentFolder(_ bytes: [UInt8]) {
    let path = "content/dam/fuzz/en/a"
    let model = ["models/fuzz/all.json": Array(allTypes.utf8)]
    let contents: [[String: [UInt8]]] =
      if bytes.first == 0x89 {
        [model.merging(["\(path).png": bytes]) { first, _ in first }]
      } else if bytes.starts(with: Array("{ ".utf8)) {
        [model.merging(["persisted/fuzz/a.graphql": bytes]) { first, _ in first }]
      } else {
        [
          model.merging(["\(path).json": bytes, "\(path).md": Array("*a*".utf8)]) { first, _ in first },
          ["models/fuzz/all.json": bytes],
        ]
      }
    for files in contents {
      do throws(ContentProblems) {
        let state = try ContentRepository(files: files).state
        precondition(state.schemaText(configuration: "fuzz") != nil)
      } catch {
        precondition(!error.problems.isEmpty && error.problems.count <= 100)
        for problem in error.problems {
          precondition((problem.line == nil) == (problem.column == nil) && (problem.line ?? 1) > 0)
        }
      }
    }
  }

  private static let allTypes = """
    {"title": "All", "fields": [
      {"name": "text", "type": "text", "pattern": "^[a-z]+$"}, {"name": "words", "type": "multiLine"},
      {"name": "float", "type": "float"}, {"name": "integer", "type": "integer"}, {"name": "long", "type": "long"},
      {"name": "boolean", "type": "boolean"}, {"name": "date", "type": "date"}, {"name": "time", "type": "time"},
      {"name": "moment", "type": "dateTime"}, {"name": "word", "type": "enumeration", "values": ["a", "b"]},
      {"name": "tags", "type": "tags"}, {"name": "picture", "type": "content", "accepts": ["image"]},
      {"name": "next", "type": "fragment", "models": ["all"], "multiple": true}, {"name": "json", "type": "json"}
    ]}
    """
}
