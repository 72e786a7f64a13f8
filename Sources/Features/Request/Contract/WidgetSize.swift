public import ExtensionProtocol

/// A size in the cells of a terminal: columns and lines.
public struct WidgetSize: Codable, Sendable, Equatable {
  /// Columns. A widget does not choose them: what it asks for is replaced by what there is.
  @Length<Int> public var width: Int
  /// Lines, the title's among them.
  @Length<Int> public var height: Int

  /// Makes a size in the cells of a terminal.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}
