/// Reads a YAML file that somebody wrote.
package enum YAMLReader {
  /// What was read, and everything that could not be.
  package struct Result: Sendable {
    /// `nil` when the file holds nothing, or when it cannot be understood.
    package let node: YAMLNode?
    /// The faults, in the order of the file.
    package let errors: [YAMLError]
  }

  /// Reads one document: a tree in which every value knows its line and column. Of a key that comes twice the first
  /// value is kept, and it is told. Aliases are put in where they stand, each counted anew.
  ///
  /// - Parameter bytes: UTF-8.
  package static func read(_ bytes: [UInt8], limits: YAMLLimits = YAMLLimits()) -> Result {
    let start = YAMLPlace(line: 1, column: 1)
    if bytes.count > limits.bytes {
      let error = YAMLError(
        "The file has more than \(limits.bytes) bytes.", recovery: "Remove what it does not need.", at: start)
      return Result(node: nil, errors: [error])
    }
    var builder = YAMLBuilder(limits: limits)
    unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let parser = unsafe YAMLParser(buffer) else {
        builder.fail("There is no memory left to read it.", recovery: "Try again.", at: start)
        return
      }
      while !builder.isDone {
        switch parser.next() {
        case .success(let event): builder.take(event)
        case .failure(let error): builder.stop(error)
        }
      }
    }
    return Result(node: builder.isStopped ? nil : builder.root, errors: builder.errors)
  }
}
