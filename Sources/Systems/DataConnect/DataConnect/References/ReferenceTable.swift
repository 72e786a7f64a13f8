import JSON
import Synchronization

/// The query references that callers of a client still hold. Equal queries share one reference.
final class ReferenceTable: Sendable {
  struct Key: Hashable {
    let operation: String
    let variables: JSONObject
    let type: ObjectIdentifier
  }

  private struct Holder: Sendable {
    weak var reference: (any AnyObject & Sendable)?
  }

  private let holders = Mutex<[Key: Holder]>([:])

  func reference<Reference: AnyObject & Sendable>(
    _ operation: String, _ variables: JSONObject, make: () -> Reference
  ) -> Reference {
    holders.withLock { holders in
      let key = Key(operation: operation, variables: variables, type: ObjectIdentifier(Reference.self))
      if let reference = holders[key]?.reference as? Reference { return reference }
      holders = holders.filter { $0.value.reference != nil }
      let reference = make()
      holders[key] = Holder(reference: reference)
      return reference
    }
  }
}
