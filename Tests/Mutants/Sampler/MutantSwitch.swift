/// The code that every changed file gets: which fault is switched on, read once from the environment.
///
/// It needs no import: each file has its own, so that no module needs another one.
enum MutantSwitch {
  /// The variable with the number of the fault that is switched on.
  static let variable = "ANNEX_MUTANT"
  /// The variable with a file of one byte for each number: which places are reached.
  static let record = "ANNEX_MUTANT_RECORD"

  /// The end of a file.
  static func code(count: Int) -> String {
    """

    @_silgen_name("getenv") private func annexVariable(_ name: UnsafePointer<CChar>) -> UnsafePointer<CChar>?
    @_silgen_name("open") private func annexOpen(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32
    @_silgen_name("close") private func annexClose(_ file: Int32) -> Int32
    @_silgen_name("mmap") private func annexMap(
      _ place: UnsafeMutableRawPointer?, _ size: Int, _ rights: Int32, _ flags: Int32, _ file: Int32, _ start: Int
    ) -> UnsafeMutableRawPointer?
    @safe private struct AnnexMutants: @unchecked Sendable {
      var active = 0
      var reached: UnsafeMutablePointer<UInt8>?
      init() {
        if let text = unsafe annexVariable("\(variable)") { active = unsafe Int(String(cString: text)) ?? 0 }
        guard let path = unsafe annexVariable("\(record)") else { return }
        let file = unsafe annexOpen(path, 2)
        guard file >= 0 else { return }
        let map = unsafe annexMap(nil, \(count + 1), 3, 1, file, 0)
        _ = annexClose(file)
        if unsafe map != UnsafeMutableRawPointer(bitPattern: -1) {
          unsafe reached = map?.assumingMemoryBound(to: UInt8.self)
        }
      }
    }
    private let annexMutants = AnnexMutants()
    private func annexMutant(_ number: Int) -> Bool {
      if let reached = unsafe annexMutants.reached { unsafe reached[number] = 1 }
      return annexMutants.active == number
    }
    """
  }

  /// The text of a file with all its faults in it, all of them off.
  static func text(of original: String, with places: [Place], count: Int) -> String {
    let bytes = Array(original.utf8)
    var (result, end): ([UInt8], Int) = ([], 0)
    for place in places.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      result += bytes[end..<place.range.lowerBound]
      result += Array(place.switched.utf8)
      end = place.range.upperBound
    }
    result += bytes[end...]
    return String(decoding: result, as: UTF8.self) + code(count: count)
  }
}
