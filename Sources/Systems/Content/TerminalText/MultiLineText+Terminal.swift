package import CommandLineTool
package import MultiLineText

extension MultiLineText {
  /// The text as lines for a terminal. Nothing in it steers the terminal or reorders what is read.
  ///
  /// - Parameters:
  ///   - width: the columns that a line may have, where words allow it; `nil` where nothing is broken.
  ///   - styled: whether bold, italic and underlined text is shown so.
  package func terminal(width: Int?, styled: Bool) -> [ShownText] {
    TerminalWriter(width: width.map { max(1, $0) }, isStyled: styled).lines(of: nodes)
  }
}
