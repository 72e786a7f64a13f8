import ExtensionHosting
import ExtensionProtocol
import HTML

/// A question of an extension above the page: who asks, for what exactly, and an example.
struct QuestionPanel {
  private let shown: PageQuestions.Shown
  private let page: String
  private let formKey: String

  /// - Parameters:
  ///   - page: the page that is shown after the answer.
  ///   - formKey: what the form sends along.
  init(_ shown: PageQuestions.Shown, page: String, formKey: String) {
    (self.shown, self.page, self.formKey) = (shown, page, formKey)
  }

  var html: HTML {
    let (question, caller) = (shown.question, shown.question.caller)
    let more: HTML? = shown.others > 0 ? "<p class=\"faint\">\(shown.others) more after this one.</p>" : nil
    let said: HTML? =
      question.reason.isEmpty ? nil : "<p>It says: <q>\(foreign: question.reason, most: 200)</q></p>"
    let app: HTML? =
      caller.containingApp.isEmpty ? nil : "<dt>App</dt><dd><code>\(foreign: caller.containingApp)</code></dd>"
    return """
      <section class="question" role="alertdialog" aria-labelledby="question-title" aria-describedby="question-what" \
      data-question="\(shown.id)"><h2 id="question-title" tabindex="-1">\(foreign: caller.displayName, most: 60) asks for \
      “\(question.permission.name)”</h2>
      <div id="question-what"><p>\(question.permission.allows)</p>\(scope)\(example)\(said)</div>
      <dl class="facts"><dt>Extension</dt><dd><code>\(foreign: caller.id)</code></dd>\(app)\
      <dt>Signed by</dt><dd>\(foreign: caller.origin, most: 200)</dd></dl>
      <form method="post" action="question"><input type="hidden" name="form" value="\(formKey)">\
      <input type="hidden" name="page" value="\(page)"><input type="hidden" name="id" value="\(shown.id)">
      <p class="buttons">\(buttons)</p></form>\(more)</section>
      """
  }

  /// The parts that the manifest names.
  private var scope: HTML {
    let scope = shown.question.scope
    guard !scope.isEmpty else { return .empty }
    let items: [HTML] = scope.prefix(12).map { "<li><code>\(foreign: $0, most: 120)</code></li>" }
    let rest: HTML = scope.count > 12 ? "<li>and \(scope.count - 12) more, which the page Decisions lists</li>" : ""
    return "<ul class=\"scope\">\(items)\(rest)</ul>"
  }

  private var example: HTML {
    let first = shown.question.scope.first
    let words: HTML
    switch shown.question.permission {
    case .network: words = "it could send what it was given to \(foreign: first ?? "a server", most: 120)"
    case .auth: words = "it could read your account’s data at \(foreign: first ?? "a web API", most: 120)"
    case .data:
      let verb = first?.hasSuffix(":read") ?? false ? "read" : "change"
      words = "it could \(verb) the rows behind \(foreign: first ?? "a connector", most: 120)"
    case .openAccess: words = "the words that you type could leave this machine"
    case .generatedCode: words = "an interpreter inside of it could compile scripts, which nobody has checked"
    case .groups: words = "it could read the settings in \(foreign: first ?? "a group", most: 120)"
    default: return .empty
    }
    return "<p class=\"faint\">For example, \(words).</p>"
  }

  /// What the sandbox enforces holds from the start of a process, so that a permission for this run would be none.
  private var words: [PageAnswerWord] {
    PageAnswerWord.allCases.filter { $0 != .once || !shown.question.permission.isEnforcedBySandbox }
  }

  private var buttons: [HTML] {
    words.map { word in
      "<button name=\"answer\" value=\"\(word.rawValue)\" id=\"answer-\(word.rawValue)\" data-waits>\(word.label)</button> "
    }
  }
}
