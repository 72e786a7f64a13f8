/// A variable that need not be given: one that was never set is not sent, one that was set to `nil` is sent as null.
@propertyWrapper
public struct OptionalVariable<Value> {
  private var given: Value?
  /// Whether the variable was ever set, even to `nil`.
  public private(set) var isSet = false

  /// Creates a variable that is not set.
  public init() {}

  /// Creates a variable that is set.
  public init(wrappedValue: Value?) {
    given = wrappedValue
    isSet = true
  }

  /// The value; setting it has it sent.
  public var wrappedValue: Value? {
    get { given }
    set {
      given = newValue
      isSet = true
    }
  }

  /// The variable itself, which tells whether it is set.
  public var projectedValue: OptionalVariable<Value> { self }
}

extension OptionalVariable: Equatable where Value: Equatable {}
extension OptionalVariable: Hashable where Value: Hashable {}
extension OptionalVariable: Sendable where Value: Sendable {}
