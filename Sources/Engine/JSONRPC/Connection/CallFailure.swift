/// Why a call has no result, with whose word that is. Who has to tell the peer's claims from what happened asks here and
/// not for the code of an error: a peer may answer with any code.
package enum CallFailure: Error, Sendable {
  /// The peer answered with this error, whatever it says.
  case answered(ErrorObject)
  /// The peer answered with something that is neither a result of the method nor an error object; says what is wrong.
  case misanswered(ErrorObject)
  /// This side found it: the connection ended, the time was over, too much waits. Never decoded from what came.
  case found(ErrorObject)

  /// The error, without whose word it is.
  package var object: ErrorObject {
    switch self {
    case .answered(let object), .misanswered(let object), .found(let object): object
    }
  }
}
