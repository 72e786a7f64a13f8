/// Bars beside each other as a picture in SVG, each with a label and a value. It has no script, no style sheet and no link.
package struct BarPlot: Sendable {
  /// A bar.
  package struct Bar: Sendable, Equatable {
    /// The words on the left; at most 48 characters are shown.
    package var label: String
    /// The length, relative to that of the longest bar; not negative.
    package var value: Double
    /// The words at the end of the bar, such as `3.4 ms`.
    package var caption: String

    /// Creates a bar; the arguments are described at the properties.
    package init(label: String, value: Double, caption: String) {
      (self.label, self.value, self.caption) = (label, value, caption)
    }
  }

  /// The words above the bars.
  package var title: String
  /// The bars, from top to bottom.
  package var bars: [Bar]

  /// Creates a plot; the arguments are described at the properties.
  package init(title: String, bars: [Bar]) { (self.title, self.bars) = (title, bars) }

  private static let (width, line, labels, captions) = (720, 24, 280, 110)

  /// The picture as an element of a page. Its colours are those of the page, by the classes `plot`, `bar` and `faint`.
  package var html: HTML { element(with: "", fill: ("class=\"bar\"", "class=\"plot-text\"", "class=\"faint\"")) }

  /// The picture as a document of its own, legible on light and on dark.
  package var document: String {
    let head: HTML = " xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\""
    return element(with: head, fill: ("fill=\"#3b82c4\"", "fill=\"#767676\"", "fill=\"#767676\"")).text + "\n"
  }

  private func element(with attributes: HTML, fill: (bar: HTML, text: HTML, faint: HTML)) -> HTML {
    let height = Self.line * (bars.count + 2)
    let longest = bars.map(\.value).filter(\.isFinite).max() ?? 0
    let room = Double(Self.width - Self.labels - Self.captions)
    let rows: [HTML] = bars.enumerated().map { index, bar in
      let y = Self.line * (index + 2)
      let part = longest > 0 && bar.value.isFinite ? max(0, bar.value) / longest : 0
      let length = max(2, Int(part * room))
      return """
        <text x="\(Self.labels - 8)" y="\(y)" text-anchor="end" \(fill.text)>\(HTMLText.cut(bar.label, 48))</text>\
        <rect x="\(Self.labels)" y="\(y - 12)" width="\(length)" height="14" rx="3" \(fill.bar)/>\
        <text x="\(Self.labels + length + 8)" y="\(y)" \(fill.faint)>\(HTMLText.cut(bar.caption, 24))</text>
        """
    }
    return """
      <svg role="img" class="plot"\(attributes) viewBox="0 0 \(Self.width) \(height)" font-size="13" \
      aria-label="\(title)"><text x="0" y="16" font-weight="bold" \(fill.text)>\(title)</text>\(rows)</svg>
      """
  }
}
