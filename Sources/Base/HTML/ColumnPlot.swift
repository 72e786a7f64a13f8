/// A few numbers in the order of time as columns beside each other, as a small picture in SVG. It has no script, no style sheet
/// and no link.
package struct ColumnPlot: Sendable {
  /// A column.
  package struct Column: Sendable, Equatable {
    /// The height, relative to that of the highest column; not negative.
    package var value: Double
    /// The number for people, such as `3.4 MiB`.
    package var caption: String

    /// Creates a column; the arguments are described at the properties.
    package init(value: Double, caption: String) { (self.value, self.caption) = (value, caption) }
  }

  /// The words above the columns.
  package var title: String
  /// The columns, the oldest first.
  package var columns: [Column]

  /// Creates a plot; the arguments are described at the properties.
  package init(title: String, columns: [Column]) { (self.title, self.columns) = (title, columns) }

  private static let (width, height, head, gap) = (320, 96, 24, 2)

  /// The title, the highest and the newest number in one sentence, for those who do not see the picture.
  package var summary: String {
    guard let last = columns.last, let highest = columns.max(by: { $0.value < $1.value }) else { return title }
    return "\(title): \(highest.caption) at most, \(last.caption) in the last of \(columns.count)"
  }

  /// The picture as an element of a page. Its colours are those of the page, by the classes `plot`, `bar` and `faint`.
  package var html: HTML {
    let longest = columns.map(\.value).filter(\.isFinite).max() ?? 0
    let step = Double(Self.width) / Double(max(12, columns.count))
    let bars: [HTML] = columns.enumerated().map { index, column in
      let part = longest > 0 && column.value.isFinite ? min(1, max(0, column.value) / longest) : 0
      let length = max(2, Int(part * Double(Self.height - Self.head)))
      return """
        <rect x="\(Int(Double(index) * step))" y="\(Self.height - length)" width="\(max(2, Int(step) - Self.gap))" \
        height="\(length)" rx="2" class="bar"><title>\(HTMLText.cut(column.caption, 24))</title></rect>
        """
    }
    let highest = columns.max { $0.value < $1.value }?.caption ?? ""
    return """
      <svg role="img" class="plot small" viewBox="0 0 \(Self.width) \(Self.height)" font-size="13" \
      aria-label="\(summary)"><text x="0" y="14" font-weight="bold" class="plot-text">\(title)</text>\
      <text x="\(Self.width)" y="14" text-anchor="end" class="faint">\(HTMLText.cut(highest, 24)) at most</text>\(bars)</svg>
      """
  }
}
