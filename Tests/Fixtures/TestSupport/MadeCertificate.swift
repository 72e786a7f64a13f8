internal import EventLoop
package import HTTPClient
package import HTTPServer
internal import TestPrograms

/// A certificate for this machine with its key, made by openssl.
package struct MadeCertificate {
  package let directory: TemporaryDirectory
  package let files: ServerCertificate

  /// On a thread of its own: commands block.
  package static func make(_ algorithm: String = curve, options: String = "-nodes") async throws -> MadeCertificate {
    try await SystemThread.run(name: "openssl") { Result { try MadeCertificate(algorithm, options: options) } }.get()
  }

  package static let curve = "ec -pkeyopt ec_paramgen_curve:prime256v1"

  /// What openssl said when it made none.
  private struct Refusal: Error {
    let text: String
  }

  private init(_ algorithm: String, options: String) throws {
    directory = try TemporaryDirectory()
    files = ServerCertificate(certificateFile: directory.file("certificate.pem"), keyFile: directory.file("key.pem"))
    let made = try ShellCommand.output(
      of: """
        openssl req -x509 -newkey \(algorithm) \(options) -days 2 -subj /CN=localhost \
        -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1' \
        -out '\(files.certificateFile)' -keyout '\(files.keyFile)' 2>&1
        """)
    guard made.status == 0 else { throw Refusal(text: made.text) }
  }

  package func server(_ change: (inout HTTPServer.Configuration) -> Void = { _ in }) -> HTTPServer {
    var configuration = HTTPServer.Configuration()
    configuration.certificate = files
    change(&configuration)
    return HTTPServer(configuration: configuration) { request in
      ServerResponse(
        text: "\(request.method) \(request.body.count)\n" + String(repeating: "x", count: request.body.count))
    }
  }

  package var client: HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.certificateFile = files.certificateFile
    configuration.timeout = .seconds(50)
    return HTTPClient(configuration: configuration)
  }
}
