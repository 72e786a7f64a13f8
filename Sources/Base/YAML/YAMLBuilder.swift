import Text

/// Builds the tree of a file from its events, and collects what is wrong.
struct YAMLBuilder {
  /// A sequence or mapping that has begun and not ended.
  private struct Frame {
    let isMapping: Bool
    let place: YAMLPlace
    let anchor: String?
    var elements: [YAMLNode] = []
    var entries: [YAMLEntry] = []
    var keys: Set<ExactText> = []
    /// The key whose value comes next; its text is `nil` where the key is no text.
    var key: (text: String?, place: YAMLPlace)?
  }

  private let limits: YAMLLimits
  private var frames: [Frame] = []
  private var anchors: [String: YAMLNode] = [:]
  private var count = 0
  private var documents = 0
  private(set) var root: YAMLNode?
  private(set) var errors: [YAMLError] = []
  private(set) var isDone = false
  /// Whether an error leaves no way on.
  private(set) var isStopped = false

  init(limits: YAMLLimits) { self.limits = limits }

  mutating func fail(_ message: String, recovery: String, at place: YAMLPlace) {
    if isStopped { return }
    errors.append(YAMLError(message, recovery: recovery, at: place))
    if errors.count >= limits.errors { (isStopped, isDone) = (true, true) }
  }

  mutating func stop(_ error: YAMLError) {
    if !isStopped { errors.append(error) }
    (isStopped, isDone) = (true, true)
  }

  mutating func take(_ event: YAMLEvent) {
    if let tag = event.tag, !tag.hasPrefix("tag:yaml.org,2002:"), tag != "!" {
      fail("The tag \(tag.cut) means nothing here.", recovery: "Remove it.", at: event.place)
    }
    switch event.kind {
    case .end: isDone = true
    case .other: break
    case .documentStart:
      documents += 1
      if documents > 1 {
        stop(
          YAMLError(
            "The file holds more than one document.", recovery: "Remove what is behind the second ---.",
            at: event.place))
      }
    case .alias(let name): alias(name, event.place)
    case .scalar(let text, let isPlain):
      let isText = !isPlain || event.tag?.hasSuffix(":str") == true
      let node = YAMLNode(kind: .scalar(text, isPlain: !isText), place: event.place, count: 1, height: 0)
      add(node, anchor: event.anchor)
    case .sequenceStart: begin(event, isMapping: false)
    case .mappingStart: begin(event, isMapping: true)
    case .containerEnd: end()
    }
  }

  private mutating func begin(_ event: YAMLEvent, isMapping: Bool) {
    frames.append(Frame(isMapping: isMapping, place: event.place, anchor: event.anchor))
    checkDepth(frames.count, event.place)
  }

  private mutating func end() {
    guard let frame = frames.popLast() else { return }
    let values = frame.isMapping ? frame.entries.map(\.value) : frame.elements
    add(
      YAMLNode(
        kind: frame.isMapping ? .mapping(frame.entries) : .sequence(frame.elements), place: frame.place,
        count: values.reduce(1) { $0 + $1.count }, height: (values.map(\.height).max() ?? 0) + 1),
      anchor: frame.anchor, counting: 1)
  }

  private mutating func alias(_ name: String, _ place: YAMLPlace) {
    guard let node = anchors[name] else {
      fail(
        "There is no finished value &\(name.cut) before this alias.", recovery: "Write the value in its place.",
        at: place)
      let nothing = YAMLNode(kind: .scalar("", isPlain: true), place: place, count: 1, height: 0)
      return add(nothing, anchor: nil)
    }
    checkDepth(frames.count + node.height, place)
    add(YAMLNode(kind: node.kind, place: place, count: node.count, height: node.height), anchor: nil)
  }

  private mutating func checkDepth(_ depth: Int, _ place: YAMLPlace) {
    if depth <= limits.depth { return }
    stop(
      YAMLError("Values are nested deeper than \(limits.depth) levels.", recovery: "Write it flatter.", at: place))
  }

  /// Puts a value where it belongs. What it holds has been counted before, unless an alias repeats it.
  private mutating func add(_ node: YAMLNode, anchor: String?, counting number: Int? = nil) {
    count += number ?? node.count
    if count > limits.values {
      return stop(
        YAMLError(
          "The file holds more than \(limits.values) values, those of aliases included.",
          recovery: "Remove aliases, or what it does not need.", at: node.place))
    }
    if let anchor { anchors[anchor] = node }
    guard var frame = frames.popLast() else {
      root = node.isNull ? nil : node
      return
    }
    if !frame.isMapping {
      frame.elements.append(node)
    } else if let key = frame.key {
      frame.key = nil
      if let text = key.text {
        if frame.keys.insert(ExactText(text)).inserted {
          frame.entries.append(YAMLEntry(key: text, place: key.place, value: node))
        } else {
          fail(
            "The key “\(text.cut)” is given twice.", recovery: "Remove one; the first one counts.", at: key.place)
        }
      }
    } else {
      if case .scalar(let text, _) = node.kind {
        frame.key = (text, node.place)
      } else {
        frame.key = (nil, node.place)
        fail("A key has to be a text.", recovery: "Write a name before the colon.", at: node.place)
      }
    }
    frames.append(frame)
  }
}

extension String {
  /// A text of somebody else inside of a message: cut, and without characters that a terminal obeys.
  var cut: String { shownInMessage() }
}
