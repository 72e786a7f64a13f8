import ConfigurationFiles
import Foundation
import JSON
import TestSupport
import Testing

@testable import ContentClient

/// The file of a service account, with one value changed or left out.
func serviceFile(_ changes: [String: JSONValue] = [:], endpoint: String = "ims.example.com", without: String? = nil)
  -> String
{
  var account: JSONObject = ["clientId": "cm-p1-client", "clientSecret": "p8e-client-secret"]
  var integration: JSONObject = [
    "imsEndpoint": .string(endpoint), "metascopes": "ent_aem_cloud_api", "id": "account@techacct.adobe.com",
    "org": "ORG@AdobeOrg", "privateKey": .string(TestKey.shared.pem), "publicKey": "x",
  ]
  for (name, value) in changes {
    if name.hasPrefix("client") { account[name] = value } else { integration[name] = value }
  }
  if let without {
    account[without] = Optional<JSONValue>.none
    integration[without] = Optional<JSONValue>.none
  }
  if without != "technicalAccount" { integration["technicalAccount"] = .object(account) }
  return JSONValue.object(["ok": true, "integration": .object(integration), "statusCode": 200]).description
}

@Suite(.timeLimit(.minutes(1)))
struct `A file of service credentials` {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func configuration(_ text: String, line: String = "AEM_SERVICE_CREDENTIALS = service.json") throws
    -> ContentConfiguration
  {
    let file = try directory.write(text, to: "service.json")
    chmod(file, 0o600)
    let path = try directory.write("AEM_SCHEME = https\nAEM_AUTH_TYPE = service\n\(line)\n", to: "Config.xcconfig")
    return try ContentConfiguration(XCConfig(contentsOf: path))
  }

  @Test func `is an account, beside the settings that name it`() throws {
    let configuration = try configuration(serviceFile())
    guard case .service(let service) = configuration.authentication else { throw CocoaError(.fileReadCorruptFile) }
    #expect(service.endpoint == "ims.example.com" && service.organization == "ORG@AdobeOrg")
    #expect(service.account == "account@techacct.adobe.com" && service.client == "cm-p1-client")
    #expect(service.clientSecret == Secret("p8e-client-secret") && service.privateKey == Secret(TestKey.shared.pem))
    #expect(service.scopes == ["ent_aem_cloud_api"])
    #expect(configuration.warnings.isEmpty)
  }

  @Test func `is a token for a day`() throws {
    let configuration = try configuration(#"{"ok":true,"statusCode":200,"accessToken":"eyJ.day.token"}"#)
    #expect(configuration.authentication == .token(Secret("eyJ.day.token")))
    let absolute = try self.configuration(
      #"{"accessToken":"t"}"#, line: "AEM_SERVICE_CREDENTIALS = \(directory.file("service.json"))")
    #expect(absolute.authentication == .token(Secret("t")))
  }

  @Test(arguments: [0o644, 0o640, 0o604]) func `that others can read is warned of`(mode: Int) throws {
    _ = try configuration(serviceFile())
    chmod(directory.file("service.json"), mode_t(mode))
    let warned = try ContentConfiguration(XCConfig(contentsOf: directory.file("Config.xcconfig")))
    #expect(warned.warnings.count == 1)
    #expect(warned.warnings.first?.message.contains("Config.xcconfig:3") == true)
    #expect(warned.warnings.first?.recovery.contains("chmod 600") == true)
  }

  @Test(arguments: [
    ("imsEndpoint", "integration.imsEndpoint"), ("metascopes", "integration.metascopes"), ("id", "integration.id"),
    ("org", "integration.org"), ("privateKey", "integration.privateKey"),
    ("clientId", "integration.technicalAccount.clientId"),
    ("clientSecret", "integration.technicalAccount.clientSecret"),
  ])
  func `without a member is refused by its key path`(name: String, keyPath: String) throws {
    for (value, says) in [(nil, "is missing"), (.null, "is null"), (5, "is a number"), ("", "is empty")]
      as [(JSONValue?, String)]
    {
      let text = value.map { serviceFile([name: $0]) } ?? serviceFile(without: name)
      let file = try directory.write(text, to: "x.json")
      let error = #expect(throws: CredentialError.self) { try CredentialsFile(path: file).authentication() }
      #expect(error?.kind == .fileMalformed && error?.keyPath == keyPath && error?.file == file)
      #expect(error?.message.contains(says) == true && error?.message.contains("AUTH_FILE_PARSE_ERROR") == true)
    }
  }

  @Test(arguments: [
    "", "nonsense", "[]", "{}", #"{"accessToken":5}"#, #"{"accessToken":""}"#, #"{"accessToken":"a b"}"#,
    #"{"integration":[]}"#, #"{"integration":{}}"#, #"{"accessToken":"a","accessToken":"b"}"#,
  ])
  func `of another form is refused`(text: String) throws {
    let file = try directory.write(text, to: "x.json")
    let error = #expect(throws: CredentialError.self) { try CredentialsFile(path: file).authentication() }
    #expect(error?.kind == .fileMalformed)
  }

  @Test(arguments: ["https://ims.example.com", "a/b", "a b", "u@h", "h?x", "", "h\n"])
  func `does not name any server`(endpoint: String) throws {
    let file = try directory.write(serviceFile(endpoint: endpoint), to: "x.json")
    let error = #expect(throws: CredentialError.self) { try CredentialsFile(path: file).authentication() }
    #expect(error?.keyPath == "integration.imsEndpoint")
  }

  @Test func `does not hold any key, and asks nobody for a passphrase`() throws {
    let certificate = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
    for key in [
      "x", certificate, TestKey.short.pem, TestKey.shared.encrypted, String(TestKey.shared.pem.dropLast(200)),
    ] {
      let file = try directory.write(serviceFile(["privateKey": .string(key)]), to: "x.json")
      let error = #expect(throws: CredentialError.self) { try CredentialsFile(path: file).authentication() }
      #expect(error?.keyPath == "integration.privateKey")
    }
  }

  @Test func `names from one to sixteen scopes, without the blanks around them`() throws {
    for (count, isTaken) in [(1, true), (16, true), (17, false)] {
      let scopes = (0..<count).map { "s\($0)" }
      let text = serviceFile(["metascopes": .string(scopes.joined(separator: " ,\t"))])
      let file = try directory.write(text, to: "x.json")
      let found = try? CredentialsFile(path: file).authentication()
      #expect((found != nil) == isTaken, "\(count)")
      if case .service(let account)? = found { #expect(account.scopes == scopes) }
    }
    for scopes in [",", " ", "a, ,b", " ,a"] {
      let file = try directory.write(serviceFile(["metascopes": .string(scopes)]), to: "x.json")
      let error = #expect(throws: CredentialError.self) { try CredentialsFile(path: file).authentication() }
      #expect(error?.keyPath == "integration.metascopes", "\(scopes)")
    }
  }

  @Test func `that is not there is told with the line that names it`() throws {
    let path = try directory.write("AEM_AUTH_TYPE = service\nAEM_SERVICE_CREDENTIALS = none.json", to: "C.xcconfig")
    let error = #expect(throws: ConfigurationError.self) { try ContentConfiguration(XCConfig(contentsOf: path)) }
    #expect(error?.key == "AEM_SERVICE_CREDENTIALS" && error?.place?.line == 2)
    #expect(error?.message.contains("AUTH_FILE_READ_ERROR") == true && error?.message.contains("none.json") == true)
    let unnamed = try directory.write("\nAEM_AUTH_TYPE = Service\n", to: "D.xcconfig")
    let missing = #expect(throws: ConfigurationError.self) { try ContentConfiguration(XCConfig(contentsOf: unnamed)) }
    #expect(missing?.key == "AEM_SERVICE_CREDENTIALS" && missing?.place?.line == 2)
    // A folder, and one without an end.
    for file in [directory.path, "/dev/zero"] {
      let error = #expect(throws: CredentialError.self) { try CredentialsFile(path: file).authentication() }
      #expect(error?.kind == .fileUnreadable)
    }
  }
}
