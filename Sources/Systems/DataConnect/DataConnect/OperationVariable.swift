/// The variables of an operation.
public protocol OperationVariable: Encodable, Hashable, Sendable {}
