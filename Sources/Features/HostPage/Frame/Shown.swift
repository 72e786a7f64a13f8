import ExtensionProtocol
import HTML
import Time

/// Pieces that several pages show.
enum Shown {
  /// What failed, and what the reader can do.
  static func failure(_ error: ExtensionError) -> HTML {
    let help: HTML? = error.recovery.map { "<p class=\"help\">\(foreign: $0)</p>" }
    return "<div class=\"failure\"><p>\(foreign: error.message)</p>\(help)</div>"
  }

  /// A sentence for a page with nothing on it.
  static func nothing(_ sentence: HTML) -> HTML { "<p class=\"nothing\">\(sentence)</p>" }

  /// A number with its noun.
  static func count(_ number: Int64, _ one: String, _ more: String? = nil) -> HTML {
    "\(number) \(number == 1 ? one : more ?? "\(one)s")"
  }

  /// A point in time: words for people, and the exact one.
  ///
  /// - Parameter seconds: since 1970.
  static func time(_ seconds: Double, now: Double = UnixTime.now.fractionalSeconds) -> HTML {
    guard seconds.isFinite, abs(seconds) < 1e11 else { return "at an unknown time" }
    let exact = UnixTime(seconds: Int64(seconds)).text()
    return "<time datetime=\"\(exact)\" title=\"\(exact)\">\(ago(now - seconds))</time>"
  }

  /// - Parameter seconds: how long it is past; negative for what is to come.
  static func ago(_ seconds: Double) -> String {
    let (amount, isPast) = (abs(seconds), seconds >= 0)
    guard amount.isFinite, amount >= 5 else { return "just now" }
    let units = [(86_400.0, "day"), (3_600, "hour"), (60, "minute"), (1, "second")]
    let (size, name) = units.first { amount >= $0.0 } ?? (1, "second")
    let count = Int(min(amount / size, 1e6))
    let words = "\(count) \(name)\(count == 1 ? "" : "s")"
    return isPast ? "\(words) ago" : "in \(words)"
  }

  /// A form that is one button.
  ///
  /// - Parameters:
  ///   - label: the word on the button.
  ///   - fields: what the form sends.
  ///   - about: what the button is about, for those who do not see where it stands.
  static func button(
    _ label: String, _ fields: [(String, String)], about: String, formKey: String, style: String = ""
  ) -> HTML {
    let hidden: [HTML] = (fields + [("form", formKey)]).map {
      "<input type=\"hidden\" name=\"\($0.0)\" value=\"\($0.1)\">"
    }
    let id = "b-" + fields.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    return """
      <form method="post">\(hidden)<button class="\(style)" id="\(id)" aria-label="\(label): \(about)">\(label)</button></form>
      """
  }
}
