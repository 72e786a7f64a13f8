/// A type that a selection has several times.
enum Repetition {
  static let schema = """
    type Person @table { name: String! }
    type Paper @table { title: String! author: Person! editor: Person! reader: Person translator: Person }
    """
  static let operations = """
    query Papers @auth(level: PUBLIC) {
      papers {
        id author { id name } editor { name id } reader { name } translator { id name }
        first: author { id } last: author { id name }
      }
    }
    """
}
