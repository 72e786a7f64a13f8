package import HTTPClient

extension HTTPClient {
  /// Waits nearly as long as a test may take: a busy machine is no failure.
  package static var patient: HTTPClient {
    var configuration = Configuration()
    configuration.timeout = .seconds(50)
    return HTTPClient(configuration: configuration)
  }
}
