import Glibc

/// An errno value, printed as the C library names it.
struct ErrorNumber: CustomStringConvertible {
  let value: Int32

  init(_ value: Int32) { self.value = value }

  var description: String {
    guard let text = unsafe strerror(value) else { return "error \(value)" }
    return "\(unsafe String(cString: text)), error \(value)"
  }
}
