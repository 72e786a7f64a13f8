import CommandLineTool
import CommandRuntime
import ContentClient
import ContentServices
import ExtensionProtocol
import ImageFile
import JSON
import Text

/// The picture of one content fragment, as `host content image` fetches it.
struct FragmentPicture: Sendable {
  let page: FragmentPage

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
    // The name of the file says what is in it, where the user has not said something else.
    let named = parsed.value("format") == nil ? output.flatMap(Self.format(ofName:)) : nil
    if let named { rendition.format = named.rawValue.uppercased() }
    if pictures != nil { rendition.format = rendition.format ?? "PNG" }
    let image = try await page.fetcher.image(try await path(), rendition)
    if let pictures, image.format == .png {
      invocation.console.write(pictures.text(of: image.bytes))
      return .success
    }
    if let output, let named, image.format != named {
      throw ExtensionError(
        .contentFailed,
        "The server sends this picture as \(image.format.rawValue.uppercased()), which “\(output)” does not say.",
        recovery: "Name the file .\(image.format.rawValue), or ask for a format with --format.")
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

  /// The format that the ending of a file's name means; `nil` for another ending.
  static func format(ofName name: String) -> ImageFormat? {
    let ending = name.pathParts().last?.split(separator: ".").dropFirst().last?.lowercased() ?? ""
    return ending == "jpg" ? .jpeg : ImageFormat(rawValue: ending)
  }

  /// Where AEM has the picture: `_dynamicUrl`, else `_path`.
  private func path() async throws -> String {
    let image = try await page.fragment().fragment[page.form.picture]
    if let path = image?["_dynamicUrl"]?.plainText ?? image?["_path"]?.plainText { return path }
    throw ExtensionError(
      .contentFailed, "The \(page.form.model) “\(page.slug)” has no picture.",
      recovery: "Choose another \(page.form.model).")
  }

  /// The fragment's slug, as far as a file may be called so.
  private var safeName: String {
    let name = page.slug.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }.prefix(100)
    return name.isEmpty ? "picture" : String(name)
  }
}
