/// How far an address reaches, by the registries of special-purpose addresses (RFC 6890).
package enum AddressReach: Sendable, Hashable, CustomStringConvertible {
  /// The internet.
  case global
  /// Networks of one owner: RFC 1918, RFC 4193, and the shared space of RFC 6598.
  case privateNetwork
  /// This link only, with the services that clouds offer there (RFC 3927, RFC 4291).
  case linkLocal
  /// This machine.
  case loopback
  /// Nothing that a request could be sent to: unspecified, multicast, reserved.
  case unusable

  /// The words for a message, such as "in a private network".
  package var description: String {
    switch self {
    case .global: "on the internet"
    case .privateNetwork: "in a private network"
    case .linkLocal: "on this link"
    case .loopback: "on this machine"
    case .unusable: "reserved"
    }
  }

  /// - Parameter address: a `sockaddr_in` or a `sockaddr_in6` as it lies in memory; anything else is unusable.
  package init(socketAddress address: [UInt8]) {
    guard address.count >= 8 else {
      self = .unusable
      return
    }
    let family = UInt16(address[0]) | UInt16(address[1]) << 8
    switch (Int(family), address.count) {
    case (2, 8...): self.init(version4: Array(address[4..<8]))
    case (10, 24...): self.init(version6: Array(address[8..<24]))
    default: self = .unusable
    }
  }

  /// - Parameter bytes: the four bytes of the address.
  package init(version4 bytes: [UInt8]) {
    switch (bytes[0], bytes[1]) {
    case (127, _): self = .loopback
    case (169, 254): self = .linkLocal
    case (10, _), (172, 16...31), (192, 168), (100, 64...127): self = .privateNetwork
    case (0, _), (224..., _): self = .unusable
    case (198, 18...19): self = .unusable
    case (192, 0) where bytes[2] == 0 || bytes[2] == 2: self = .unusable
    case (198, 51) where bytes[2] == 100, (203, 0) where bytes[2] == 113: self = .unusable
    default: self = .global
    }
  }

  /// - Parameter bytes: the sixteen bytes of the address. One that carries an address of version 4 reaches as far as
  ///   that.
  package init(version6 bytes: [UInt8]) {
    let head = Array(bytes[..<12])
    let zeros = [UInt8](repeating: 0, count: 10)
    if head == zeros + [0, 0] {
      // ::, ::1, and the deprecated form of version 4 addresses.
      let isSmall = bytes[12..<15].allSatisfy { $0 == 0 } && bytes[15] <= 1
      self = isSmall ? (bytes[15] == 1 ? .loopback : .unusable) : AddressReach(version4: Array(bytes[12...]))
    } else if head == zeros + [0xFF, 0xFF] {
      self.init(version4: Array(bytes[12...]))
    } else if head == [0, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8) {
      self.init(version4: Array(bytes[12...]))
    } else if bytes[0] == 0x20, bytes[1] == 0x02 {
      self.init(version4: Array(bytes[2..<6]))
    } else if bytes[0] == 0xFE, bytes[1] & 0xC0 == 0x80 {
      self = .linkLocal
    } else if bytes[0] & 0xFE == 0xFC || (bytes[0] == 0xFE && bytes[1] & 0xC0 == 0xC0) {
      self = .privateNetwork
    } else if bytes[0] & 0xE0 == 0x20, !(bytes[0] == 0x20 && bytes[1] == 0x01 && bytes[2] == 0x0D && bytes[3] == 0xB8) {
      self = .global
    } else {
      self = .unusable
    }
  }
}
