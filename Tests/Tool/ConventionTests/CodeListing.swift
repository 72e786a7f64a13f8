/// A Swift listing of an article, and how it becomes a file that a compiler can check.
///
/// A listing that declares something is a file of its own; any other is the body of a function. What the text around it
/// takes for granted is given by a comment before it, which readers do not see: `<!-- given context: ExtensionContext -->`
/// are parameters of that function. A comment that names a file says that the listing is this file, word for word.
struct CodeListing: Sendable {
  /// The article.
  let path: String
  /// The import lines of the listings before it in the article: a reader has them, too.
  var carried: [String] = []
  /// The number of the listing's first line in the article.
  let line: Int
  let code: String
  /// The comment before it, without its marks.
  let comment: String

  /// Whether it is compared with a file, which the build compiles.
  var isFromFile: Bool { comment.hasSuffix(".swift") }

  /// The parameters that it takes for granted.
  var given: String { comment.hasPrefix("given ") ? String(comment.dropFirst("given ".count)) : "" }

  static let fence = "```swift"

  /// Its import lines; a listing without any has those in ``carried``.
  var imports: [String] {
    code.split(separator: "\n").filter(Self.isImport).map(String.init).filter { line in
      !Self.readers.contains { line.hasSuffix(" \($0)") }
    }
  }

  /// The modules that it imports.
  var modules: [String] { imports.compactMap { $0.split(separator: " ").last.map(String.init) } }

  /// The listings of an article, in their order.
  static func all(in article: SourceTree.File) -> [CodeListing] {
    var carried: [String] = []
    return blocks(in: article).map { listing in
      var listing = listing
      listing.carried = carried
      carried += listing.imports.filter { !carried.contains($0) }
      return listing
    }
  }

  private static func blocks(in article: SourceTree.File) -> [CodeListing] {
    var listings: [CodeListing] = []
    var comment = ""
    var open: (line: Int, lines: [Substring])?
    for (index, line) in article.lines.enumerated() {
      if let listing = open {
        if line.hasPrefix("```") {
          let code = listing.lines.joined(separator: "\n")
          listings.append(CodeListing(path: article.path, line: listing.line, code: code, comment: comment))
          (open, comment) = (nil, "")
        } else {
          open?.lines.append(line)
        }
      } else if line == fence {
        open = (index + 2, [])
      } else if !line.isEmpty {
        let isComment = line.hasPrefix("<!-- ") && line.hasSuffix(" -->")
        comment = isComment ? String(line.dropFirst(5).dropLast(4)) : ""
      }
    }
    return listings
  }

  private static let declarations = [
    "@", "actor ", "class ", "enum ", "extension ", "final ", "func ", "protocol ", "public ", "struct ", "typealias ",
  ]

  /// Modules that an article has its reader make: here all listings are one module.
  static let readers: Set<String> = ["SitePoint"]

  private static func isImport(_ line: Substring) -> Bool {
    line.hasPrefix("import ") || line.hasPrefix("public import ") || line.hasPrefix("@testable import ")
  }

  /// The file to check. Errors are reported where the listing is in its article.
  ///
  /// - Parameters:
  ///   - number: distinguishes the functions of one module.
  ///   - prelude: what a listing without imports has beside what those before it import.
  func source(number: Int, prelude: String) -> String {
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
    // A module has one entry, and here are many programs.
    let body = lines.map { Self.isImport($0) || $0 == "@main" ? "" : $0 }
    let isFile = body.contains { line in Self.declarations.contains { line.hasPrefix($0) } }
    let head = (imports.isEmpty ? carried + [prelude] : imports).joined(separator: "\n")
    let place = """
      #sourceLocation(file: "\(path)", line: \(line))
      \(body.joined(separator: "\n"))
      #sourceLocation()

      """
    return isFile ? "\(head)\n\(place)" : "\(head)\nfunc listing\(number)(\(given)) async throws {\n\(place)}\n"
  }
}
