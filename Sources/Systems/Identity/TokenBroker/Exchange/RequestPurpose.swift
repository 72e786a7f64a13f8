/// What a request is for: it decides what an answer means that says too little.
enum RequestPurpose: Sendable, Equatable {
  case startSignIn
  case startSignUp
  case startReset
  /// A step between, with a continuation token and nothing that the user typed.
  case step
  case password
  case newPassword
  case code
  case attributes
  case refresh
  case authorizationCode
  case deviceCode
  case discovery
  case revocation
}
