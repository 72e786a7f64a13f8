extension DecodingError {
  /// The coding path as `a.b[2].c`, and what is wrong there.
  package var pathAndDescription: (path: String, description: String) {
    let context: Context
    let path: [any CodingKey]
    switch self {
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found):
      context = found
      path = found.codingPath
    case .keyNotFound(let key, let found):
      context = found
      path = found.codingPath + [key]
    @unknown default: return ("", "\(self)")
    }
    var text = ""
    for key in path {
      if let index = key.intValue, !(key.stringValue == "\(index)") {
        text += "[\(index)]"
      } else {
        text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
    return (text, context.debugDescription)
  }
}
