import HTTPClient
import HTTPServer
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `An address` {
  @Test(
    arguments: [
      ([8, 8, 8, 8], .global), ([127, 0, 0, 1], .loopback), ([127, 255, 1, 1], .loopback), ([0, 0, 0, 0], .unusable),
      ([10, 0, 0, 1], .privateNetwork), ([172, 16, 0, 1], .privateNetwork), ([172, 32, 0, 1], .global),
      ([192, 168, 1, 1], .privateNetwork), ([100, 64, 0, 1], .privateNetwork), ([100, 128, 0, 1], .global),
      ([169, 254, 169, 254], .linkLocal), ([224, 0, 0, 1], .unusable), ([255, 255, 255, 255], .unusable),
      ([198, 18, 0, 1], .unusable), ([192, 0, 2, 7], .unusable), ([203, 0, 113, 7], .unusable),
      // The ends of each range, and what is beside them.
      ([126, 255, 255, 255], .global), ([128, 0, 0, 0], .global), ([1, 0, 0, 0], .global),
      ([0, 255, 255, 255], .unusable), ([9, 255, 255, 255], .global), ([11, 0, 0, 0], .global),
      ([172, 15, 255, 255], .global), ([172, 31, 255, 255], .privateNetwork), ([171, 16, 0, 1], .global),
      ([192, 167, 255, 255], .global), ([192, 169, 0, 0], .global), ([100, 63, 255, 255], .global),
      ([100, 127, 255, 255], .privateNetwork), ([101, 64, 0, 1], .global), ([169, 253, 1, 1], .global),
      ([169, 255, 1, 1], .global), ([168, 254, 1, 1], .global), ([223, 255, 255, 255], .global),
      ([240, 0, 0, 1], .unusable), ([198, 17, 255, 255], .global), ([198, 19, 255, 255], .unusable),
      ([198, 20, 0, 0], .global), ([192, 0, 0, 8], .unusable), ([192, 0, 1, 0], .global), ([192, 0, 3, 0], .global),
      ([192, 1, 2, 0], .global), ([198, 51, 100, 1], .unusable), ([198, 51, 99, 255], .global),
      ([198, 51, 101, 0], .global), ([198, 52, 100, 0], .global), ([203, 0, 112, 255], .global),
      ([203, 0, 114, 0], .global), ([203, 1, 113, 0], .global),
    ] as [([UInt8], AddressReach)])
  func `of version 4 reaches as far as its registry says`(bytes: [UInt8], reach: AddressReach) {
    #expect(AddressReach(version4: bytes) == reach)
    let socketAddress: [UInt8] = [2, 0, 0, 80] + bytes + [UInt8](repeating: 0, count: 8)
    #expect(AddressReach(socketAddress: socketAddress) == reach)
    let zeros = [UInt8](repeating: 0, count: 10)
    #expect(AddressReach(version6: zeros + [0xFF, 0xFF] + bytes) == reach, "mapped")
    #expect(AddressReach(version6: [0, 0x64, 0xFF, 0x9B] + zeros.prefix(8) + bytes) == reach, "NAT64")
    #expect(AddressReach(version6: [0x20, 0x02] + bytes + zeros) == reach, "6to4")
  }

  private static func version6(_ head: [UInt8], _ last: UInt8) -> [UInt8] {
    head + [UInt8](repeating: 0, count: 15 - head.count) + [last]
  }

  @Test(
    arguments: [
      (version6([], 1), .loopback), (version6([], 0), .unusable), (version6([0xFE, 0x80], 1), .linkLocal),
      (version6([0xFC], 1), .privateNetwork), (version6([0xFD, 1], 1), .privateNetwork),
      (version6([0xFE, 0xC0], 1), .privateNetwork), (version6([0xFF, 2], 1), .unusable),
      (version6([0x20, 1, 0x0D, 0xB8], 1), .unusable), (version6([0x2A, 0], 1), .global),
      (version6([0x40], 1), .unusable), ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 127, 0, 0, 1], .loopback),
      (version6([], 2), .unusable), ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 1], .global),
      ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 0], .global), (version6([0xFE, 0xBF], 1), .linkLocal),
      (version6([0xFE, 0x7F], 1), .unusable), (version6([0xFE, 0xFF], 1), .privateNetwork),
      (version6([0xFE, 0], 1), .unusable), (version6([0xFB], 1), .unusable), (version6([0xFF], 1), .unusable),
      (version6([0x1F, 0xFF], 1), .unusable), (version6([0x20, 0], 1), .global), (version6([0x3F, 0xFF], 1), .global),
      (version6([0x20, 1, 0x0D, 0xB7], 1), .global), (version6([0x20, 1, 0x0D, 0xB9], 1), .global),
      (version6([0x20, 1, 0x0E, 0xB8], 1), .global), (version6([0x20, 0, 0x0D, 0xB8], 1), .global),
      (version6([0x21, 1, 0x0D, 0xB8], 1), .global), (version6([0x20, 3, 127], 1), .global),
      (version6([0, 0x64, 0xFF, 0x9B, 1], 1), .unusable), (version6([0, 0x64, 0xFF, 0x9A], 1), .unusable),
      ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFE, 8, 8, 8, 8], .unusable),
      ([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xFF, 0xFF, 8, 8, 8, 8], .unusable),
    ] as [([UInt8], AddressReach)])
  func `of version 6 reaches as far as its registry says`(bytes: [UInt8], reach: AddressReach) {
    #expect(AddressReach(version6: bytes) == reach)
    #expect(AddressReach(socketAddress: [10, 0, 0, 80, 0, 0, 0, 0] + bytes + [0, 0, 0, 0]) == reach)
  }

  @Test func `is as long as its kind has it`() {
    let four: [UInt8] = [2, 0, 0, 80, 8, 8, 8, 8]
    let six = [10, 0, 0, 80, 0, 0, 0, 0] + Self.version6([0x2A], 1)
    for (bytes, count) in [(four, 8), (six, 24)] {
      #expect(AddressReach(socketAddress: bytes) == .global && bytes.count == count)
      #expect(AddressReach(socketAddress: Array(bytes.dropLast())) == .unusable)
      #expect(AddressReach(socketAddress: [bytes[0], 1] + bytes.dropFirst(2)) == .unusable)
    }
  }

  @Test(arguments: [[], [2], [1, 0, 0, 0, 0, 0, 0, 0], [10, 0, 0, 80, 0, 0, 0, 0, 1]] as [[UInt8]])
  func `that is no internet address is unusable`(bytes: [UInt8]) {
    #expect(AddressReach(socketAddress: bytes) == .unusable)
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `that is not allowed is not connected to, whatever name leads there`(host: String) async throws {
    try await HTTPServer { _ in ServerResponse(text: "secret") }.withRunning { address in
      var request = HTTPRequest("GET", "http://\(host):\(address.port)/")
      request.allowedReaches = [.global]
      let error = await #expect(throws: HTTPError.self) { try await HTTPClient.patient.send(request) }
      #expect(error?.kind == .forbiddenAddress)
      #expect(error?.message.contains("on this machine") == true)
      request.allowedReaches = [.loopback]
      let response = try await HTTPClient.patient.send(request)
      #expect(response.text == "secret")
    }
  }

  @Test func `is asked for in the odd ways of writing it too`() async throws {
    for host in ["0x7f.1", "2130706433", "127.1", "0", "[::ffff:127.0.0.1]"] {
      var request = HTTPRequest("GET", "http://\(host):9/")
      request.allowedReaches = [.global, .privateNetwork]
      let error = await #expect(throws: HTTPError.self) { try await HTTPClient.patient.send(request) }
      #expect(error?.kind == .forbiddenAddress || error?.kind == .unreachable, "\(host): \(error?.kind.rawValue ?? "")")
    }
  }

  @Test func `of a body's taker gets the pieces, and can refuse more`() async throws {
    let text = String(repeating: "0123456789", count: 20_000)
    try await HTTPServer { _ in ServerResponse(text: text) }.withRunning { address in
      let taken = Pieces()
      var request = HTTPRequest("GET", address.url)
      request.takeBody = { taken.add($0) }
      let response = try await HTTPClient.patient.send(request)
      #expect(response.body.isEmpty)
      #expect(taken.bytes == Array(text.utf8))
      request.takeBody = { _ in false }
      let error = await #expect(throws: HTTPError.self) { try await HTTPClient.patient.send(request) }
      #expect(error?.kind == .tooLarge)
      request.takeBody = { taken.add($0) }
      request.maximumBodyBytes = 1000
      await #expect(throws: HTTPError.self) { try await HTTPClient.patient.send(request) }
    }
  }
}
