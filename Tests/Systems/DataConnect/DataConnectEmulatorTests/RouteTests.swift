import HTTPServer
import JSON
import Testing

@testable import DataConnectEmulator

struct `A path of the emulator` {
  @Test(arguments: ["v1", "v1beta", "v1alpha"])
  func `leads to a connector in every version`(version: String) {
    let path = "/\(version)/projects/p/locations/l/services/s/connectors/c%20d:executeQuery"
    #expect(ServerRoute(path) == .connector(service: "s", connector: "c d", .executeQuery))
  }

  @Test func `leads to what administrators do`() {
    let service = "/v1/projects/p/locations/l/services/s"
    #expect(ServerRoute("\(service):executeGraphql") == .service(service: "s", .executeGraphql))
    #expect(ServerRoute("\(service):executeGraphqlRead").isAdministrative)
    #expect(ServerRoute("\(service)/connectors/c:impersonateMutation").isAdministrative)
    #expect(ServerRoute("/emulator/info") == .information)
  }

  @Test func `leads to the stream of a service`() {
    let name = "google.firebase.dataconnect.v1.ConnectorStreamService.Connect"
    #expect(ServerRoute("/ws/\(name)/p/locations/l/services/s") == .stream(service: "s"))
    #expect(ServerRoute("/ws/\(name)/projects/p/locations/l/services/s") == .stream(service: "s"))
  }

  @Test(arguments: [
    "/", "/v1", "/v1/projects/p/locations/l/services/s", "/v1/projects/p/locations/l/services/s:drop",
    "/v1/projects/p/locations/l/services/s/connectors/c:executeGraphql",
    "/v2/projects/p/locations/l/services/s:executeGraphql",
    "/emulator/info/more", "/ws/other/p/locations/l/services/s",
  ])
  func `is refused where it is none`(path: String) { #expect(ServerRoute(path) == .unknown) }
}
