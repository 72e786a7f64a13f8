/// The cases of a test that are computed: from a table, from a folder, from what a machine has.
package enum Cases {
  /// There is nothing to test.
  package struct Missing: Error, CustomStringConvertible {
    package let description: String
  }

  /// The cases themselves. A test without a case passes and says nothing, so this one fails.
  ///
  /// - Parameter least: how many there are at least.
  package static func present<Values: Collection>(
    _ values: Values, least: Int = 1, file: StaticString = #fileID, line: Int = #line
  ) throws -> Values {
    guard values.count >= least else {
      throw Missing(description: "\(file):\(line) has \(values.count) cases, where \(least) are the least.")
    }
    return values
  }
}
