public import JSON
import PropertyList
internal import PropertyListXML

extension ManifestReference {
  /// The reference as an article in Markdown.
  public var article: String {
    var text = """
      # The manifest

      Every key that a manifest may have, with its type, what holds without it, and an example.

      ## Overview

      A manifest is a property list, in the XML or the binary form: `Info.plist` in a bundle, or a file of any name that \
      ends in `.plist` in a folder of loose manifests. Keys are spelled as Apple spells them; what only this host reads \
      stands under `Annex`. `host verify` names every problem with its file, line and key path.

      This page is made from the tables that manifests are checked with: `host api --manifest` prints it.

      """
    for section in sections where !section.keys.isEmpty {
      text += "\n### \(section.title)\n\n"
      if !section.about.isEmpty { text += "\(section.about)\n\n" }
      let hasPoints = section.keys.contains { !$0.points.isEmpty }
      text += hasPoints ? "| Key | Points | Type | Default |" : "| Key | Type | Default |"
      text += " What it says | Example |\n|\(String(repeating: "---|", count: hasPoints ? 6 : 5))\n"
      for key in section.keys {
        var cells = ["`\(key.path)`"]
        if hasPoints { cells.append(key.points.isEmpty ? "all" : key.points.joined(separator: ", ")) }
        cells += [key.form, key.standard.isEmpty ? "–" : key.standard, key.summary, "`\(Self.line(key.example))`"]
        text += "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
      }
    }
    return text
  }

  /// The reference as JSON: an array of objects, one for each key.
  public var document: JSONValue {
    .array(
      sections.flatMap { section in
        section.keys.map { key in
          var object = JSONObject()
          object["path"] = .string(key.path)
          object["section"] = .string(section.title)
          object["type"] = .string(key.form)
          object["default"] = key.standard.isEmpty ? .null : .string(key.standard)
          object["points"] = key.points.isEmpty ? .null : .array(key.points.map { .string($0) })
          object["summary"] = .string(key.summary)
          object["example"] = .string(Self.line(key.example))
          return .object(object)
        }
      })
  }

  /// A value in the XML form, on one line.
  private static func line(_ value: PropertyListValue) -> String {
    let lines = (XMLPropertyListWriter.document(value) ?? "").split(separator: "\n").map { line in
      String(line.drop { $0 == "\t" })
    }
    return lines.drop { !$0.hasPrefix("<plist") }.dropFirst().prefix { $0 != "</plist>" }.joined()
  }
}
