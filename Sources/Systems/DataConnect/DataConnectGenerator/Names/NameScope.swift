/// The names of one scope, each given once.
struct NameScope {
  private var taken: Set<String>

  init(_ taken: Set<String> = []) { self.taken = taken }

  func has(_ name: String) -> Bool { taken.contains(name) }

  /// The first of these that nothing has, else the last one with a number behind it.
  mutating func take(_ names: String...) -> String {
    for name in names where !taken.contains(name) {
      taken.insert(name)
      return name
    }
    let name = names.last ?? "_"
    var number = 2
    while taken.contains("\(name)\(number)") { number += 1 }
    taken.insert("\(name)\(number)")
    return "\(name)\(number)"
  }
}
