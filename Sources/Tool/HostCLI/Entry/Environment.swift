import Glibc
import Text

/// The process's environment variables.
enum Environment {
  static var current: [String: String] {
    var variables: [String: String] = [:]
    var next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = environ
    while let entry = next.pointee {
      if let (name, value) = variable(String(cString: entry)) { variables[name] = value }
      next += 1
    }
    return variables
  }

  /// The name and the value of `NAME=VALUE`; `nil` for what is none.
  static func variable(_ entry: String) -> (name: String, value: String)? {
    entry.cut(at: "=").map { (String($0.before), String($0.behind)) }
  }
}
