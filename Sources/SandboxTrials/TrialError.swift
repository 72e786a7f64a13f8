/// What went wrong around a trial, not in what it tries.
package struct TrialError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
