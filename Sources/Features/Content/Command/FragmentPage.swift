import CommandLineTool
import CommandRuntime
import ContentClient
import ContentServices
import ExtensionProtocol
import JSON
import MultiLineText
import TerminalText

/// The page of a content fragment in `host content show`.
struct FragmentPage: Sendable {
  let slug: String
  let form: ContentForm
  let fetcher: ContentFetcher

  init(_ slug: String, as form: ContentForm, _ fetcher: ContentFetcher) {
    (self.slug, self.form, self.fetcher) = (slug, form, fetcher)
  }

  /// The fragment as AEM has it, and the answer that holds the fragment.
  ///
  /// - Throws: ``ExtensionError`` with the code `contentFailed`.
  func fragment() async throws -> (fragment: JSONValue, result: ContentResult) {
    let result = try await fetcher.result(form.fragmentQuery, ["slug": .string(slug)])
    guard let fragment = try result.fragments(of: form.model).first, !fragment.isNull else {
      throw ExtensionError(
        .contentFailed, "There is no \(form.model) with the slug “\(slug)”.", recovery: "Run \"host content list\".")
    }
    return (fragment, result)
  }

  func show(_ invocation: Invocation) async throws -> ExitStatus {
    let (fragment, result) = try await fragment()
    let console = invocation.console
    if invocation.wantsJSON {
      invocation.printJSON(result.document(["item": fragment]))
      return .success
    }
    console.print(console.terminal.styled("\(fragment["title"]?.plainText ?? slug)", .bold))
    console.print()
    var table = TextTable([.init(""), .init("")])
    for (name, member) in form.facts {
      if let fact = fragment[member]?.plainText { table.add([.init(name), .init(fact)]) }
    }
    console.print(table)
    for (name, member) in form.texts {
      guard let text = fragment[member].flatMap(MultiLineText.init(member:)), !text.nodes.isEmpty else { continue }
      console.print()
      console.print(console.terminal.styled("\(name)", .bold))
      for line in text.terminal(width: console.terminal.width, styled: console.terminal.isTerminal) {
        console.print(line)
      }
    }
    return .success
  }
}

extension MultiLineText {
  /// A member of a fragment that is a multi-line text, in whichever of its forms the query asked for.
  ///
  /// - Returns: `nil` when none of them is there, or can be read.
  init?(member: JSONValue) {
    if let json = member["json"], !json.isNull, let text = try? MultiLineText(json: json) {
      self = text
    } else if let html = member["html"]?.stringValue, let text = try? MultiLineText(html: html) {
      self = text
    } else if let markdown = member["markdown"]?.stringValue, let text = try? MultiLineText(markdown: markdown) {
      self = text
    } else if let plain = member["plaintext"]?.stringValue ?? member.stringValue {
      self = MultiLineText(plaintext: plain)
    } else {
      return nil
    }
  }
}
