/// What a terminal shows of lists with rows to choose, and what keys do to it. Pure: keys and news go in, what is to be done
/// comes out, and ``drawing(for:)`` says what it looks like.
package struct ChoiceScreen: Sendable {
  /// A row that may be chosen.
  package struct Row: Sendable, Hashable {
    /// The row as it is drawn, on one line, without the mark of a chosen row.
    package var line: ShownText
    /// The same without styles, to be shown inverted.
    package var plain: ShownText

    /// Creates a row from its text with and without styles.
    package init(line: ShownText, plain: ShownText) {
      self.line = line
      self.plain = plain
    }
  }

  /// A list: what stands above its rows, and below.
  package struct Section: Sendable, Hashable {
    /// The lines above the rows.
    package var above: [ShownText]
    /// The rows, in order.
    package var rows: [Row]
    /// The lines below the rows.
    package var below: [ShownText]

    /// Creates a section.
    package init(above: [ShownText] = [], rows: [Row] = [], below: [ShownText] = []) {
      self.above = above
      self.rows = rows
      self.below = below
    }
  }

  /// The place of a row: its section, and its place there.
  package struct Place: Sendable, Hashable {
    /// The index of the section, from 0.
    package var section: Int
    /// The index of the row in its section, from 0.
    package var position: Int

    /// Creates a place from two indices.
    package init(section: Int, position: Int) {
      self.section = section
      self.position = position
    }
  }

  /// What the user wants.
  package enum Wish: Sendable, Hashable {
    /// To have a row do what it does.
    case choose(Place)
    /// To have everything anew.
    case refresh
    /// To end, or to end as Ctrl-C does.
    case end, interrupt
    /// To go back to the shell for a while.
    case stop
  }

  /// A text that replaces the lists until the user goes back.
  struct Page: Sendable {
    var title: ShownText
    var text: ShownText
    /// Lines above the first that is shown.
    var offset = 0
  }

  /// Columns and lines of the terminal.
  package private(set) var columns: Int
  /// The height of the terminal in lines, at least 1.
  package private(set) var height: Int
  /// The row that Return acts on; `nil` where there is none.
  package private(set) var chosen: Place?
  /// What stands at the bottom in place of the keys, for example while something is awaited.
  package var notice: ShownText?
  var sections: [Section]
  var page: Page?
  /// Lines of the lists above the first that is shown.
  var top = 0

  /// Creates a screen with empty sections.
  ///
  /// - Parameters:
  ///   - sections: the number of sections.
  ///   - columns: the width of the terminal; less than 1 counts as 1.
  ///   - height: the height of the terminal in lines; less than 1 counts as 1.
  package init(sections: Int, columns: Int, height: Int) {
    self.sections = Array(repeating: Section(), count: sections)
    self.columns = max(columns, 1)
    self.height = max(height, 1)
  }

  /// Whether a page is shown in place of the lists.
  package var showsPage: Bool { page != nil }

  /// The terminal has another size.
  package mutating func resize(columns: Int, height: Int) {
    self.columns = max(columns, 1)
    self.height = max(height, 1)
    settle()
  }

  /// A list is another one now. The chosen row stays chosen where it is still there, wherever it stands.
  package mutating func show(_ section: Section, at index: Int) {
    guard sections.indices.contains(index) else { return }
    let before = chosen.flatMap { $0.section == index ? sections[index].rows[$0.position].plain : nil }
    sections[index] = section
    if let before, let place = chosen {
      if section.rows.indices.contains(place.position), section.rows[place.position].plain == before {
        // It did not move.
      } else if let moved = section.rows.firstIndex(where: { $0.plain == before }) {
        chosen = Place(section: index, position: moved)
      } else if section.rows.isEmpty {
        chosen = places.last { $0.section < index } ?? places.first
      } else {
        chosen = Place(section: index, position: min(place.position, section.rows.count - 1))
      }
    }
    if chosen == nil { chosen = places.first }
    settle()
  }

  /// Shows a text in place of the lists, from its beginning.
  package mutating func open(_ title: ShownText, _ text: ShownText) {
    notice = nil
    page = Page(title: title, text: text)
    settle()
  }

  /// A key was pressed.
  ///
  /// - Returns: what the user wants that the screen cannot do by itself.
  package mutating func press(_ key: TerminalKey) -> Wish? {
    defer { settle() }
    switch key {
    case .control("c"): return .interrupt
    case .control("d"): return .end
    case .control("z"): return .stop
    default: break
    }
    guard page == nil else {
      turn(key)
      return nil
    }
    switch key {
    case .character("q"): return .end
    case .character("r"): return .refresh
    case .character("?"), .character("h"): open("Keys", Self.keys)
    case .enter, .right: return chosen.map(Wish.choose)
    default: move(key)
    }
    return nil
  }

  static let keys: ShownText = """
    Up, Down, k, j    choose a row
    Home, End, g, G   the first row, the last row
    Return            open the row, or do what it does
    Esc, q, Left      back from a page; its text moves by Up, Down, Space and b
    r                 bring everything up to date
    q, Ctrl-C         end
    Ctrl-Z            back to the shell for a while
    """
}

extension ChoiceScreen {
  /// All rows, from the top.
  fileprivate var places: [Place] {
    sections.indices.flatMap { section in
      sections[section].rows.indices.map { Place(section: section, position: $0) }
    }
  }

  private mutating func move(_ key: TerminalKey) {
    let places = places
    guard let chosen, let index = places.firstIndex(of: chosen) else {
      // Nothing can be chosen: the lists themselves move.
      top = Self.offset(top, key, page: space, last: max(0, lines.count - space))
      return
    }
    let next = Self.offset(index, key, page: max(1, space - 1), last: places.count - 1)
    self.chosen = places[next]
    // Above the first row there may be something to read.
    if next == 0 { top = 0 }
  }

  private mutating func turn(_ key: TerminalKey) {
    guard var page else { return }
    switch key {
    case .escape, .left, .character("q"), .backspace: self.page = nil
    default:
      page.offset = Self.offset(page.offset, key, page: pageSpace, last: max(0, pageLines(page).count - pageSpace))
      self.page = page
    }
  }

  /// A number that keys move, from 0 to the last.
  private static func offset(_ value: Int, _ key: TerminalKey, page: Int, last: Int) -> Int {
    let wanted =
      switch key {
      case .up, .character("k"), .control("p"): value - 1
      case .down, .character("j"), .control("n"): value + 1
      case .pageUp, .character("b"): value - max(1, page)
      case .pageDown, .character(" "): value + max(1, page)
      case .home, .character("g"): 0
      case .end, .character("G"): last
      default: value
      }
    return max(0, min(wanted, last))
  }

  /// Keeps what is shown inside of what there is, and the chosen row in sight.
  private mutating func settle() {
    if var page {
      page.offset = max(0, min(page.offset, pageLines(page).count - pageSpace))
      self.page = page
    }
    let count = lines.count
    if let line = lines.firstIndex(where: \.isChosen) { top = max(line - space + 1, min(top, line)) }
    top = max(0, min(top, count - space))
  }
}
