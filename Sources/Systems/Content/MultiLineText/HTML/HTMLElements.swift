/// The meaning of HTML's elements for a text.
enum HTMLElements {
  /// The elements whose text readers do not see.
  static let hidden: Set<String> = [
    "script", "style", "head", "title", "template", "noscript", "iframe", "object", "embed", "applet", "svg", "math",
    "canvas", "audio", "video", "select", "textarea", "button", "frameset", "noframes",
  ]

  /// The elements that only begin and end lines.
  static let lines: Set<String> = [
    "div", "section", "article", "aside", "header", "footer", "main", "nav", "address", "figure", "figcaption",
    "details", "summary", "dl", "dt", "dd", "fieldset", "form", "legend", "center", "caption", "html", "body",
  ]

  /// The block that an element is.
  static func block(_ name: String) -> MultiLineText.Kind? {
    switch name {
    case "p": .paragraph
    case "h1", "h2", "h3", "h4", "h5", "h6": .header
    case "ul", "menu", "dir": .unorderedList
    case "ol": .orderedList
    case "li": .listItem
    case "table": .table
    case "tr": .tableRow
    case "td", "th": .tableData
    case "blockquote": .blockQuote
    case "pre", "listing", "xmp": .codeBlock
    case "hr": .horizontalRule
    default: nil
    }
  }

  /// The style of its node.
  static func style(_ name: String) -> String? { name == "th" || block(name) == .header ? name : nil }
}
