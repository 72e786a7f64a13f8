import PropertyList
import Text

/// Builds a property list from the elements of its XML form, and collects what is wrong.
struct PropertyListBuilder {
  /// An element that has begun and not ended.
  private struct Frame {
    enum Kind { case plist, array, dictionary, text, truth }

    let kind: Kind
    let element: String
    let line: Int
    var elements: [PropertyListNode] = []
    var entries: [PropertyListNode.Entry] = []
    var pendingKey: String?
    var keys: Set<String> = []
    var text = ""
  }

  private static let textElements: Set = ["key", "string", "integer", "real", "date", "data"]

  private let limits: PropertyListLimits
  private var frames: [Frame] = []
  private var path: [PropertyListKeyPath.Component] = []
  private var count = 0
  /// The value, once its element has ended.
  private(set) var root: PropertyListNode?
  private(set) var errors: [PropertyListError] = []
  /// Whether an error leaves no way on.
  private(set) var isStopped = false

  init(limits: PropertyListLimits) { self.limits = limits }

  // MARK: Errors

  /// Notes an error and goes on.
  mutating func fail(_ message: String, line: Int) {
    guard !isStopped else { return }
    errors.append(PropertyListError(message, line: line, keyPath: PropertyListKeyPath(path)))
    if errors.count >= 50 { isStopped = true }
  }

  /// Notes an error after which nothing more can be understood.
  mutating func stop(_ message: String, line: Int) {
    fail(message, line: line)
    isStopped = true
  }

  // MARK: Events

  mutating func start(_ name: String, line: Int) {
    guard !isStopped else { return }
    count += 1
    if count > limits.values { return stop("The file holds more than \(limits.values) values.", line: line) }
    guard let parent = frames.last else {
      guard name == "plist", root == nil else {
        return stop("The outermost element is <\(name)>, not <plist>.", line: line)
      }
      return frames.append(Frame(kind: .plist, element: name, line: line))
    }
    if let message = misplacement(of: name, in: parent) { return stop(message, line: line) }
    if parent.kind == .array { path.append(.index(parent.elements.count)) }
    open(name, line: line)
  }

  /// Why an element may not stand in another, if it may not.
  private func misplacement(of name: String, in parent: Frame) -> String? {
    switch parent.kind {
    case .plist where root != nil: "<plist> holds more than one value."
    case .plist, .array: name == "key" ? "<key> is outside a dictionary." : nil
    case .text, .truth: "<\(parent.element)> holds another element, <\(name)>."
    case .dictionary where parent.pendingKey == nil:
      name == "key" ? nil : "A value, <\(name)>, has no <key> before it."
    case .dictionary: name == "key" ? "The key has no value." : nil
    }
  }

  private mutating func open(_ name: String, line: Int) {
    let kind: Frame.Kind
    switch name {
    case "array": kind = .array
    case "dict": kind = .dictionary
    case "true", "false": kind = .truth
    case _ where Self.textElements.contains(name): kind = .text
    default: return stop("The element <\(name)> is not known.", line: line)
    }
    if kind == .array || kind == .dictionary, frames.count > limits.depth {
      return stop("Values are nested more than \(limits.depth) deep.", line: line)
    }
    frames.append(Frame(kind: kind, element: name, line: line))
  }

  /// - Parameter line: the line in which the text begins.
  mutating func characters(_ text: String, line: Int) {
    guard !isStopped else { return }
    if frames.last?.kind == .text {
      frames[frames.count - 1].text += text
    } else if let misplaced = text.firstIndex(where: { !$0.isWhitespace }) {
      let before = text.utf8[..<misplaced].count { $0 == 0x0A }
      stop("There is text where only elements are allowed.", line: line + before)
    }
  }

  mutating func end(_ name: String) {
    guard !isStopped, let frame = frames.popLast() else { return }
    switch frame.kind {
    case .plist: return
    case .array: close(PropertyListNode(.array(frame.elements), line: frame.line))
    case .dictionary:
      if frame.pendingKey != nil {
        fail("The key has no value.", line: frame.line)
        path.removeLast()
      }
      close(PropertyListNode(.dictionary(frame.entries), line: frame.line))
    case .truth: close(PropertyListNode(.scalar(.bool(frame.element == "true")), line: frame.line))
    case .text where frame.element == "key": begin(key: frame.text, line: frame.line)
    case .text:
      let value = PropertyListText.value(frame.element, frame.text)
      if value == nil {
        let article = frame.element == "integer" ? "an" : "a"
        // Not by characters, one of which may have any number of marks.
        fail("“\(frame.text.prefix(scalars: 40))” is not \(article) \(frame.element).", line: frame.line)
      }
      close(PropertyListNode(.scalar(value ?? .string(frame.text)), line: frame.line))
    }
  }

  private mutating func begin(key: String, line: Int) {
    guard !frames.isEmpty else { return }
    path.append(.key(key))
    let isNew = frames[frames.count - 1].keys.insert(key).inserted
    if !isNew { fail("The key occurs twice.", line: line) }
    frames[frames.count - 1].pendingKey = key
  }

  /// Puts a finished value into what holds it.
  private mutating func close(_ node: PropertyListNode) {
    guard let parent = frames.indices.last else { return }
    switch frames[parent].kind {
    case .array:
      path.removeLast()
      frames[parent].elements.append(node)
    case .dictionary:
      guard let key = frames[parent].pendingKey else { return }
      path.removeLast()
      frames[parent].entries.append(PropertyListNode.Entry(key, node))
      frames[parent].pendingKey = nil
    case .plist, .text, .truth: root = node
    }
  }
}
