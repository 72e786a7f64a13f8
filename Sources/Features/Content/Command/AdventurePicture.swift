import Text
import CommandLineTool
import ContentClient
import ContentServices
import ExtensionProtocol
import HostCLI
import JSON

/// The picture of one adventure, as `host content image` fetches it.
struct AdventurePicture: Sendable {
  private let page: AdventurePage

  init(_ slug: String, _ fetcher: ContentFetcher) { page = AdventurePage(slug, fetcher) }

  func show(_ invocation: Invocation) async throws -> ExitStatus {
    let parsed = invocation.parsed
    let output = parsed.value("output")
    let sides = 1...16_384
    var rendition = ImageRendition(
      width: try parsed.integer("width", in: sides), height: try parsed.integer("height", in: sides),
      format: parsed.value("format"), quality: try parsed.integer("quality", in: 1...100))
    let pictures =
      output == nil && !invocation.wantsJSON
      ? TerminalPictures(invocation.console.terminal, environment: invocation.environment) : nil
    if pictures != nil { rendition.format = rendition.format ?? "PNG" }
    let image = try await page.fetcher.image(try await path(), rendition)
    if let pictures, image.format == .png {
      invocation.console.write(pictures.text(of: image.bytes))
      return .success
    }
    let file = output ?? "\(safeName).\(image.format.rawValue)"
    do throws(OutputError) {
      if output == nil {
        try OutputFile.writeNew(image.bytes, to: file)
      } else {
        try OutputFile.write(image.bytes, to: file)
      }
    } catch {
      throw Failure(
        ExtensionError(.storeFailed, error.message, recovery: "Name another file with -o."), status: .cannotCreate)
    }
    if invocation.wantsJSON {
      invocation.printJSON([
        "file": .string(file), "mimeType": .string(image.mimeType), "bytes": .integer(Int64(image.bytes.count)),
        "source": .string(image.source.rawValue), "ageSeconds": .integer(Int64(image.ageSeconds)),
      ])
    } else {
      invocation.console.print("\(file)")
    }
    return .success
  }

  /// Where AEM has the picture: `_dynamicUrl`, else `_path`.
  private func path() async throws -> String {
    let adventure = try await page.adventure().adventure
    let image = adventure["primaryImage"]
    if let path = image?["_dynamicUrl"]?.plainText ?? image?["_path"]?.plainText { return path }
    throw ExtensionError(
      .contentFailed, "The adventure “\(page.slug)” has no picture.", recovery: "Choose another adventure.")
  }

  /// The adventure's slug, as far as a file may be called so.
  private var safeName: String {
    let name = page.slug.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }.prefix(100)
    return name.isEmpty ? "picture" : String(name)
  }
}

/// Pictures at a terminal that reads PNG itself: nothing here looks into them.
struct TerminalPictures: Sendable {
  private enum Kind { case kitty, iTerm }

  private let kind: Kind

  /// - Returns: `nil` when the output is no terminal, or none that is known to show pictures.
  init?(_ terminal: Terminal, environment: [String: String]) {
    guard terminal.isTerminal else { return nil }
    func variable(_ name: String) -> String { environment[name] ?? "" }
    if !variable("KITTY_WINDOW_ID").isEmpty || variable("TERM") == "xterm-kitty"
      || variable("TERM_PROGRAM") == "ghostty"
    {
      kind = .kitty
    } else if ["iTerm.app", "WezTerm"].contains(variable("TERM_PROGRAM")) {
      kind = .iTerm
    } else {
      return nil
    }
  }

  /// What has the terminal show a PNG.
  ///
  /// Sources: https://sw.kovidgoyal.net/kitty/graphics-protocol, https://iterm2.com/documentation-images.html.
  func text(of png: [UInt8]) -> ShownText {
    let data = Base64.encode(png)
    switch kind {
    case .iTerm: return ShownText(verbatim: "\u{1B}]1337;File=inline=1;size=\(png.count):\(data)\u{07}\n")
    case .kitty:
      var text = ""
      var rest = Substring(data)
      var isFirst = true
      while !rest.isEmpty {
        let piece = rest.prefix(4096)
        rest = rest.dropFirst(4096)
        text += "\u{1B}_G\(isFirst ? "a=T,f=100," : "")m=\(rest.isEmpty ? 0 : 1);\(piece)\u{1B}\\"
        isFirst = false
      }
      return ShownText(verbatim: text + "\n")
    }
  }
}
