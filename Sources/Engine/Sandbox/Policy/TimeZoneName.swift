import Files
import Glibc

/// The name of the machine's time zone, for an extension that cannot follow /etc/localtime.
enum TimeZoneName {
  private static let database = "/zoneinfo/"

  /// For example `Europe/Berlin`; `UTC` when the machine does not say.
  static let current: String = File.linkTarget(of: "/etc/localtime").flatMap(name) ?? "UTC"

  /// The part of a link's target below the zone database.
  static func name(inTarget target: String) -> String? {
    let bytes = Array(target.utf8)
    let mark = Array(database.utf8)
    guard bytes.count > mark.count else { return nil }
    for start in 0...(bytes.count - mark.count) where bytes[start..<start + mark.count].elementsEqual(mark) {
      let name = bytes[(start + mark.count)...]
      return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }
    return nil
  }
}
