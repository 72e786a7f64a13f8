/// Pages of HTML, plain ones.
enum Page {
  /// Escapes a text for HTML, so that it contains no markup.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.append(character)
      }
    }
    return escaped
  }

  /// A field of a form: what it is called, what is before it, and its type.
  struct Field {
    let name: String
    let label: String
    var type = "text"
    var value = ""
    var autocomplete = "off"
  }

  /// Returns a page with a form that posts to the page's own address.
  ///
  /// - Parameters:
  ///   - hidden: the name and value of a hidden field that identifies the form's request.
  ///   - buttons: the values and labels of the field `decision`.
  static func form(
    title: String, problem: String?, hidden: (name: String, value: String)?, fields: [Field],
    buttons: [(value: String, label: String)]
  ) -> String {
    let problem = problem.map { "<p role=\"alert\">\(escaped($0))</p>" } ?? ""
    let secret = hidden.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\(escaped($0.value))\">" } ?? ""
    let rows = fields.map { field in
      """
      <p><label>\(escaped(field.label))<br><input name="\(field.name)" type="\(field.type)" \
      value="\(escaped(field.value))" autocomplete="\(field.autocomplete)"></label></p>
      """
    }
    let pressed = buttons.map { "<button name=\"decision\" value=\"\($0.value)\">\(escaped($0.label))</button>" }
    return page(
      title,
      "\(problem)<form method=\"post\">\(secret)\(rows.joined())<p>\(pressed.joined(separator: " "))</p></form>")
  }

  /// Returns a page that posts its fields by a script, without a click (OAuth 2.0 Form Post Response Mode).
  ///
  /// - Parameter nonce: the nonce of the only script that the page may run.
  static func posting(_ fields: [(name: String, value: String)], to address: String, nonce: String) -> String {
    let rows = fields.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\(escaped($0.value))\">" }
    return page(
      "Back to the application",
      """
      <form method="post" action="\(escaped(address))">\(rows.joined())<button>Continue</button></form>\
      <script nonce="\(nonce)">document.forms[0].submit()</script>
      """)
  }

  static func page(_ title: String, _ body: String) -> String {
    """
    <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">\
    <title>\(escaped(title))</title><style>body{font:1rem sans-serif;max-width:24rem;margin:3rem auto}</style>\
    <h1>\(escaped(title))</h1>\(body)</html>

    """
  }

  static func message(_ title: String, _ text: String) -> String { page(title, "<p>\(escaped(text))</p>") }
}
