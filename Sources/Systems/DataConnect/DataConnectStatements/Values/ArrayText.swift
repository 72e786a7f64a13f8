/// Arrays in the form that PostgreSQL reads.
///
/// Source: https://www.postgresql.org/docs/15/arrays.html#ARRAYS-IO.
package enum ArrayText {
  /// Every element between double quotes, so that no character in it means anything; `nil` is NULL.
  package static func text(of elements: [String?]) -> String {
    var text = "{"
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      guard let element else {
        text += "NULL"
        continue
      }
      text += "\""
      for scalar in element.unicodeScalars {
        if scalar == "\"" || scalar == "\\" { text += "\\" }
        text.unicodeScalars.append(scalar)
      }
      text += "\""
    }
    return text + "}"
  }
}
