import HTML

/// What is around the content of every page: the menu, the question that waits, and what has just been done.
struct PageFrame {
  let title: String
  let parts: [any PagePart]
  let part: any PagePart
  let formKey: String
  let question: PageQuestions.Shown?
  let note: String?
  /// Whether the content answers a form, and so is not what the address shows.
  var isAnswer = false

  func html(_ content: HTML) -> HTML {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><title>\(part.title) – \(title)</title>
    <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
    <link rel="stylesheet" href="/assets/page.css"><link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
    <script src="/assets/page.js" defer></script></head>
    <body data-form="\(formKey)" data-topics="\((part.topics + ["questions"]).joined(separator: " "))">
    <a class="skip" href="#main">Skip to the content</a>
    <header><p class="brand"><img src="/assets/icon.svg" alt="" width="24" height="24"> \(title)</p>
    <nav aria-label="Pages"><ul>\(parts.map(entry))</ul></nav></header>
    <div id="away" role="alert" hidden>The host does not answer. This page comes back when it does.</div>
    <div data-key="question">\(question.map { QuestionPanel($0, page: part.name, formKey: formKey).html })</div>
    <main id="main" tabindex="-1"><div class="heading"><h1>\(part.title)</h1></div>
    <p id="note" role="status">\(note ?? "")</p>
    <div id="content"\(isAnswer ? " data-answer" as HTML : "")>\(content)</div></main></body></html>

    """
  }

  private func entry(_ one: any PagePart) -> HTML {
    let isCurrent = one.name == part.name
    let current: HTML = isCurrent ? " aria-current=\"page\"" : ""
    let count = one.count
    let badge: HTML = count > 0 ? " <span class=\"badge\">\(count)</span>" : ""
    return "<li data-key=\"menu-\(one.name)\"><a href=\"\(one.name)\"\(current)>\(one.title)\(badge)</a></li>"
  }
}

/// The page that a browser sees first: it hands over the token of the address, or asks for it.
struct EntryPage {
  let title: String
  var note: String?

  var html: HTML {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><title>\(title)</title>
    <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
    <link rel="stylesheet" href="/assets/page.css"><link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
    <script src="/assets/enter.js" defer></script></head>
    <body class="entry"><main><h1><img src="/assets/icon.svg" alt="" width="32" height="32"> \(title)</h1>
    <p role="status">\(note ?? "")</p>
    <form method="post" action="/enter"><p><label for="token">The code behind # in the address that “host ui” printed. It
    opens the page once.</label></p>
    <p><input id="token" name="token" autocomplete="off" autocapitalize="none" spellcheck="false" required></p>
    <p><button class="primary">Open</button></p></form></main></body></html>

    """
  }
}
