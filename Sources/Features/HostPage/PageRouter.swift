import Cryptography
import ExtensionProtocol
import HTML
import HTTPServer
import Text

/// Finds the page for a request, after it has looked whether the browser may have it. The server's ``Door`` has refused
/// requests of other pages and for other hosts before.
struct PageRouter: Sendable {
  let title: String
  let keys: PageKeys
  let feed: PageFeed
  let questions: PageQuestions
  let parts: [any PagePart]

  func answer(_ request: ServerRequest) async -> ServerResponse {
    let steps = request.path.pathParts(keepsEmpty: true).dropFirst().map(String.init)
    guard ["GET", "HEAD", "POST"].contains(request.method) else {
      return PageAnswer.text(405, "The page knows GET and POST.\n")
    }
    let isPost = request.method == "POST"
    switch (steps.first ?? "", steps.count) {
    case ("", 1) where !isPost: return PageAnswer.page(EntryPage(title: title).html)
    case ("enter", 1) where isPost: return enter(request)
    case ("assets", 2) where !isPost: return PageAnswer.asset(steps[1]) ?? missing
    case (let key, 2) where ConstantTime.isEqual(key, keys.path): break
    default: return missing
    }
    let cookies = request.headers.filter { $0.isNamed("Cookie") }.map(\.value)
    guard let session = keys.session(cookies: cookies) else {
      return PageAnswer.page(
        EntryPage(title: title, note: "This page belongs to another session.").html, status: 403)
    }
    let page = PageRequest(request, session: session)
    if isPost {
      let key = request.header("X-Annex-Page") ?? page.form["form"] ?? ""
      guard ConstantTime.isEqual(key, session.form) else {
        return PageAnswer.text(403, "The form is not one of this page. Open the page again.\n")
      }
    }
    return await answer(steps[1], page, session, isPost: isPost)
  }

  private var missing: ServerResponse { PageAnswer.text(404, "There is no such page.\n") }

  /// Spends the token of an address, and begins a session.
  private func enter(_ request: ServerRequest) -> ServerResponse {
    let fields = PageRequest.fields(String(decoding: request.body, as: UTF8.self))
    guard let cookie = keys.open(with: fields["token"] ?? "") else {
      let note = "This code was used already, or is not one of this page."
      return PageAnswer.page(EntryPage(title: title, note: note).html, status: 403)
    }
    return PageAnswer.go(to: "/\(keys.path)/\(parts.first?.name ?? "")", cookie: cookie)
  }

  private func answer(
    _ name: String, _ request: PageRequest, _ session: PageKeys.Session, isPost: Bool
  ) async -> ServerResponse {
    if name.isEmpty, let first = parts.first { return PageAnswer.go(to: first.name) }
    if name == "live", !isPost { return live }
    if name == "question", isPost { return answerQuestion(request, session) }
    guard let part = parts.first(where: { $0.name == name }) else { return missing }
    do {
      guard isPost else {
        let content = try await part.content(request)
        return PageAnswer.page(frame(part, content, request, note: request.isPart ? nil : session.takeNote()))
      }
      switch try await part.act(request) {
      case .done(let note): return done(note, part.name, request, session)
      case .show(let html): return PageAnswer.page(frame(part, html, request, isAnswer: true))
      case .file(let name, let bytes): return PageAnswer.file(name, bytes)
      case .missing: return missing
      }
    } catch {
      let error = ExtensionError(wrapping: error)
      if isPost, request.isPart { return PageAnswer.text(422, error.message) }
      return PageAnswer.page(frame(part, Shown.failure(error), request, isAnswer: isPost), status: isPost ? 422 : 200)
    }
  }

  /// What follows a form that was done: for the script a sentence, else the page that has the form.
  private func done(
    _ note: String, _ page: String, _ request: PageRequest, _ session: PageKeys.Session
  ) -> ServerResponse {
    if request.isPart { return PageAnswer.text(200, note) }
    session.note(note)
    return PageAnswer.go(to: page)
  }

  private func answerQuestion(_ request: PageRequest, _ session: PageKeys.Session) -> ServerResponse {
    let page = parts.first { $0.name == request.form["page"] }?.name ?? parts.first?.name ?? ""
    guard let id = request.form["id"], let answer = PageAnswerWord(rawValue: request.form["answer"] ?? "") else {
      return missing
    }
    switch questions.answer(id, answer.answer) {
    case .taken: return done(answer.note, page, request, session)
    case .early:
      let note = "The question had only just appeared. Read it, and answer again."
      return request.isPart ? PageAnswer.text(422, note) : done(note, page, request, session)
    case .gone: return done("Nobody waits for this answer any more.", page, request, session)
    }
  }

  private func frame(
    _ part: any PagePart, _ content: HTML, _ request: PageRequest, note: String? = nil, isAnswer: Bool = false
  ) -> HTML {
    PageFrame(
      title: title, parts: parts, part: part, formKey: request.formKey, question: questions.show(), note: note,
      isAnswer: isAnswer
    ).html(content)
  }

  /// Says which topics have changed, as Server-Sent Events: one stream for a browser, however many tabs it has.
  private var live: ServerResponse {
    let fields = [ServerField("Content-Type", "text/event-stream; charset=utf-8")] + PageAnswer.fields
    return .stream(headers: fields) { [feed] writer in
      try await writer.write("retry: 1000\n\n")
      try await withThrowingDiscardingTaskGroup { group in
        group.addTask {
          try await feed.follow { topics in
            try await writer.write("data: \(topics.joined(separator: " "))\n\n")
          }
        }
        // That a browser is gone shows only when something is written to it.
        while !Task.isCancelled {
          try await Task.sleep(for: .seconds(10))
          try await writer.write(": still here\n\n")
        }
      }
    }
  }
}
