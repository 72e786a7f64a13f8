import JSON
import MultiLineText
import Pattern
import Text

/// Makes values of fields of what a file says, and reports what does not fit.
struct FieldReader {
  let file: SourceFile
  /// Reads a text beside the file.
  let readText: (_ name: String, _ place: SourcePlace, inout ContentProblemList) -> String?
  var links: [ContentFragment.Link] = []

  /// - Parameter position: the field's position in its model, for links.
  mutating func value(
    _ json: LocatedJSON, of field: ContentField, at position: Int, _ problems: inout ContentProblemList
  ) -> FieldValue {
    if json.isNull { return .null }
    guard field.isMultiple else { return single(json, of: field, at: position, &problems) }
    guard let elements = json.elements else {
      fault(json, field, "is a list, not \(json.words)", "Write it between [ and ].", &problems)
      return .null
    }
    return .list(elements.map { single($0, of: field, at: position, &problems) })
  }

  private mutating func single(
    _ json: LocatedJSON, of field: ContentField, at position: Int, _ problems: inout ContentProblemList
  ) -> FieldValue {
    switch field.type {
    case .content, .fragment:
      guard let path = json.string, path.hasPrefix("/"), path.utf8.count <= 1_024 else {
        fault(
          json, field, "is a path, not \(json.words)", "Write one such as \"/content/dam/site/en/name\".", &problems)
        return .null
      }
      links.append(ContentFragment.Link(path: path, field: position, place: file.place(json)))
      return .reference(path)
    case .multiLine(let format): return text(json, field, format, &problems)
    default: return scalar(json, field, &problems)
    }
  }

  private func scalar(_ json: LocatedJSON, _ field: ContentField, _ problems: inout ContentProblemList) -> FieldValue {
    let value = json.json
    switch field.type {
    case .json: return .scalar(value)
    case .text, .tags, .enumeration, .date, .time, .dateTime:
      guard let text = json.string else {
        fault(json, field, "is a text, not \(json.words)", "Write it between quotation marks.", &problems)
        return .null
      }
      return check(text, json, field, &problems) ? .scalar(value) : .null
    case .boolean:
      if json.bool != nil { return .scalar(value) }
      fault(json, field, "is true or false, not \(json.words)", "Write true or false.", &problems)
    case .float:
      if let number = value.doubleValue, number.isFinite, json.string == nil { return .scalar(value) }
      fault(json, field, "is a number, not \(json.words)", "Write it without quotation marks.", &problems)
    case .integer, .long:
      let range = field.type == .long ? Int64.min...Int64.max : Int64(Int32.min)...Int64(Int32.max)
      if let number = value.integerValue, range.contains(number) { return .scalar(.integer(number)) }
      fault(
        json, field, "is a whole number from \(range.lowerBound) to \(range.upperBound)", "Write such a number.",
        &problems)
    default: break
    }
    return .null
  }

  private func check(
    _ text: String, _ json: LocatedJSON, _ field: ContentField, _ problems: inout ContentProblemList
  ) -> Bool {
    switch field.type {
    case .enumeration(let values) where !values.contains(text):
      let hint = didYouMean(nearMisses(of: text, in: values))
      fault(
        json, field, "has no value \(text.quotedInProblem)",
        hint ?? "Write one of \(values.prefix(12).map(\.quotedInProblem).joined(separator: ", ")).", &problems)
    case .date where Moment(text, .date) == nil:
      fault(json, field, "is a date, not \(text.quotedInProblem)", "Write one such as \"2026-05-31\".", &problems)
    case .time where Moment(text, .time) == nil:
      fault(json, field, "is a time, not \(text.quotedInProblem)", "Write one such as \"18:30:00\".", &problems)
    case .dateTime where Moment(text, .dateTime) == nil:
      fault(
        json, field, "is a date and a time, not \(text.quotedInProblem)",
        "Write them such as \"2026-05-31T18:30:00.000Z\".", &problems)
    default:
      if let pattern = field.pattern, !pattern.matches(text) {
        fault(
          json, field, "has a value that its pattern does not allow",
          "Write one that fits \(pattern.text.shownInProblem).", &problems)
        return false
      }
      return true
    }
    return false
  }

  // MARK: Texts

  private func text(
    _ json: LocatedJSON, _ field: ContentField, _ format: TextFormat, _ problems: inout ContentProblemList
  ) -> FieldValue {
    if let text = json.string { return parsed(.string(text), format, json, field, &problems) }
    if json.elements != nil, format == .json { return parsed(json.json, .json, json, field, &problems) }
    if let member = json.members?.first, json.members?.count == 1 {
      if let format = TextFormat(rawValue: member.name), format == .json || member.value.string != nil {
        return parsed(member.value.json, format, member.value, field, &problems)
      }
      if member.name == "file", let name = member.value.string {
        return textFile(name, member.value, field, &problems)
      }
    }
    fault(
      json, field, "is a text, not \(json.words)",
      "Write it between quotation marks, or an object with one member html, markdown, plaintext, json or file.",
      &problems)
    return .null
  }

  private func textFile(
    _ name: String, _ json: LocatedJSON, _ field: ContentField, _ problems: inout ContentProblemList
  ) -> FieldValue {
    let formats: [(String, TextFormat)] = [
      (".md", .markdown), (".markdown", .markdown), (".html", .html), (".htm", .html), (".txt", .plaintext),
    ]
    let small = name.lowercased()
    guard let format = formats.first(where: { small.hasSuffix($0.0) })?.1 else {
      fault(
        json, field, "names a file that is not text: \(name.quotedInProblem)",
        "Name one that ends in .md, .html or .txt.",
        &problems)
      return .null
    }
    guard let text = readText(name, file.place(json), &problems) else { return .null }
    return parsed(.string(text), format, json, field, &problems)
  }

  private func parsed(
    _ source: JSONValue, _ format: TextFormat, _ json: LocatedJSON, _ field: ContentField,
    _ problems: inout ContentProblemList
  ) -> FieldValue {
    do throws(MultiLineTextError) {
      return .text(try TextValue(source, as: format))
    } catch {
      let place = [error.line.map { "line \($0)" }, error.keyPath].compactMap(\.self).first.map { " (\($0))" } ?? ""
      fault(json, field, "cannot be read\(place): \(error.message)", error.recovery, &problems)
      return .null
    }
  }

  private func fault(
    _ json: LocatedJSON, _ field: ContentField, _ what: String, _ fix: String, _ problems: inout ContentProblemList
  ) {
    problems.add(file.path, file.place(json), "The field \(field.name.quotedInProblem) \(what).", fix)
  }
}
