import CommandLineTool
import ContentClient
import ContentServices
import ExtensionProtocol
import HostCLI
import JSON
import MultiLineText
import TerminalText

/// One adventure, as `host content show` shows it.
struct AdventurePage: Sendable {
  let slug: String
  let fetcher: ContentFetcher

  init(_ slug: String, _ fetcher: ContentFetcher) { (self.slug, self.fetcher) = (slug, fetcher) }

  private static let facts = [
    ("Activity", "activity"), ("Type", "adventureType"), ("Trip length", "tripLength"), ("Difficulty", "difficulty"),
    ("Group size", "groupSize"), ("Price", "price"),
  ]
  private static let texts = [("About", "description"), ("Itinerary", "itinerary"), ("Gear", "gearList")]

  /// The adventure as AEM has it, with the answer that it was in.
  ///
  /// - Throws: ``ExtensionError`` with the code `contentFailed`.
  func adventure() async throws -> (adventure: JSONValue, result: ContentResult) {
    let result = try await fetcher.result("wknd-shared/adventure-by-slug", ["slug": .string(slug)])
    guard let adventure = try result.adventures().first, !adventure.isNull else {
      throw ExtensionError(
        .contentFailed, "There is no adventure with the slug “\(slug)”.", recovery: "Run \"host content list\".")
    }
    return (adventure, result)
  }

  func show(_ invocation: Invocation) async throws -> ExitStatus {
    let (adventure, result) = try await adventure()
    let console = invocation.console
    if invocation.wantsJSON {
      invocation.printJSON(result.document(["item": adventure]))
      return .success
    }
    console.print(console.terminal.styled("\(adventure["title"]?.plainText ?? slug)", .bold))
    console.print()
    var table = TextTable([.init(""), .init("")])
    for (name, member) in Self.facts {
      if let fact = adventure[member]?.plainText { table.add([.init(name), .init(fact)]) }
    }
    console.print(table)
    for (name, member) in Self.texts {
      guard let text = adventure[member].flatMap(MultiLineText.init(member:)), !text.nodes.isEmpty else { continue }
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
