package import ExtensionProtocol
import Files
package import PropertyList
import PropertyListXML

/// Reads a property list from a file, in the XML or the binary form, with the line of every value.
package enum PropertyListReader {
  /// Either the value, or every problem that was found.
  package enum Outcome: Sendable {
    case value(PropertyListNode)
    case problems([ManifestProblem])
  }

  /// Reads a file.
  ///
  /// - Parameter path: where the file is; problems name it.
  package static func read(_ path: String, limits: PropertyListLimits = .manifest) -> Outcome {
    do throws(FileError) {
      return parse(try File.read(path, limit: limits.size), file: path, limits: limits)
    } catch {
      return .problems([
        ManifestProblem(.error, file: path, error.message, recovery: error.recovery ?? "Check the file.")
      ])
    }
  }

  /// Parses the bytes of a file.
  package static func parse(_ bytes: [UInt8], file: String?, limits: PropertyListLimits = .manifest) -> Outcome {
    if bytes.starts(with: BinaryPropertyList.magic) {
      do throws(PropertyListError) {
        return .value(try BinaryPropertyList.parse(bytes, limits: limits))
      } catch {
        return .problems([problem(error, file)])
      }
    }
    switch XMLPropertyListReader.parse(bytes, limits: limits) {
    case .value(let node): return .value(node)
    case .errors(let errors): return .problems(errors.map { problem($0, file) })
    }
  }

  private static func problem(_ error: PropertyListError, _ file: String?) -> ManifestProblem {
    ManifestProblem(
      .error, file: file, line: error.line, keyPath: error.keyPath.description, error.message,
      recovery: error.line.map {
        "Correct the file near line \($0): each <key> is followed by one value, and tags are closed in the reverse order."
      } ?? "Write a property list in the XML or the binary form, version 1.0.")
  }
}
