import CYAML

/// What comes next in a file.
struct YAMLEvent {
  enum Kind {
    case end, documentStart, containerEnd, other
    case alias(String)
    case scalar(String, isPlain: Bool)
    case sequenceStart, mappingStart
  }

  let kind: Kind
  /// The name that an alias may repeat it by.
  let anchor: String?
  /// A tag that is written: `!name`.
  let tag: String?
  let place: YAMLPlace
}

/// libyaml's parser over bytes that stay where they are while it lives.
@safe
struct YAMLParser: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>

  /// - Parameter bytes: have to outlive the parser.
  /// - Returns: `nil` when there is no memory left.
  @unsafe init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    unsafe parser = .allocate(capacity: 1)
    guard unsafe yaml_parser_initialize(parser) == 1 else {
      unsafe parser.deallocate()
      return nil
    }
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    unsafe yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
  }

  /// The next event, or why there is none.
  borrowing func next() -> Result<YAMLEvent, YAMLError> {
    var event = unsafe yaml_event_t()
    guard unsafe yaml_parser_parse(parser, &event) == 1 else { return .failure(error) }
    defer { unsafe yaml_event_delete(&event) }
    return .success(unsafe Self.event(event))
  }

  private static func event(_ event: yaml_event_t) -> YAMLEvent {
    var (anchor, tag): (String?, String?)
    let kind: YAMLEvent.Kind
    switch unsafe event.type {
    case YAML_STREAM_END_EVENT: kind = .end
    case YAML_DOCUMENT_START_EVENT: kind = .documentStart
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: kind = .containerEnd
    case YAML_ALIAS_EVENT: kind = unsafe .alias(text(event.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT:
      let scalar = unsafe event.data.scalar
      anchor = unsafe text(scalar.anchor)
      tag = unsafe text(scalar.tag)
      let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      kind = unsafe .scalar(
        String(decoding: bytes, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
    case YAML_SEQUENCE_START_EVENT:
      anchor = unsafe text(event.data.sequence_start.anchor)
      tag = unsafe text(event.data.sequence_start.tag)
      kind = .sequenceStart
    case YAML_MAPPING_START_EVENT:
      anchor = unsafe text(event.data.mapping_start.anchor)
      tag = unsafe text(event.data.mapping_start.tag)
      kind = .mappingStart
    default: kind = .other
    }
    return unsafe YAMLEvent(kind: kind, anchor: anchor, tag: tag, place: place(event.start_mark))
  }

  private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    unsafe pointer.map { unsafe String(decodingCString: $0, as: UTF8.self) }
  }

  /// Lines and columns of a file are far below the largest number.
  private static func place(_ mark: yaml_mark_t) -> YAMLPlace {
    YAMLPlace(line: Int(clamping: mark.line) + 1, column: Int(clamping: mark.column) + 1)
  }

  private var error: YAMLError {
    let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "it is not YAML"
    if unsafe parser.pointee.error == YAML_READER_ERROR {
      let offset = unsafe Int(clamping: parser.pointee.problem_offset)
      return YAMLError(
        "The file is not UTF-8 text at byte \(offset): \(problem).", recovery: "Save it as UTF-8.",
        at: unsafe Self.place(parser.pointee.mark))
    }
    let context = unsafe parser.pointee.context.map { unsafe " " + String(cString: $0) } ?? ""
    return YAMLError(
      "This is not YAML: \(problem)\(context).",
      recovery: "Check the indentation, the quotes and the colons before this place.",
      at: unsafe Self.place(parser.pointee.problem_mark))
  }
}
