/// The failure of a call, by its origin: the peer's answer, or what happened on this side. A caller that must not trust
/// the peer's word distinguishes these cases and not the code of an error, as a peer may answer with any code.
package enum CallFailure: Error, Sendable {
  /// The peer answered with this error, whatever it says.
  case answered(ErrorObject)
  /// The peer answered with something that is neither a result of the method nor an error object; says what is wrong.
  case misanswered(ErrorObject)
  /// This side found it: the connection ended, the time was over, too much waits. Never decoded from what came.
  case found(ErrorObject)

  /// The error object, without its origin.
  package var object: ErrorObject {
    switch self {
    case .answered(let object), .misanswered(let object), .found(let object): object
    }
  }
}
