/// The names that a misspelt word may have meant: at most three, the nearest first.
///
/// Near means an edit distance (insertion, removal, change, swap of neighbours) of at most a third of the word's
/// length, but from 1 to 3, or that one begins with the other. Letters are compared without case.
package func nearMisses(of word: String, in names: some Sequence<String>) -> [String] {
  let wanted = Array(word.lowercased().prefix(256))
  guard !wanted.isEmpty else { return [] }
  let limit = min(3, max(1, wanted.count / 3))
  var found: [(distance: Int, name: String)] = []
  for name in names where !found.contains(where: { $0.name == name }) {
    let candidate = Array(name.lowercased().prefix(256))
    let isPrefix = wanted.count > 1 && (candidate.starts(with: wanted) || wanted.starts(with: candidate))
    let distance = editDistance(wanted, candidate)
    if distance <= limit || (isPrefix && !candidate.isEmpty) { found.append((distance, name)) }
  }
  return found.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
}

/// One sentence that offers near misses, or nothing.
package func didYouMean(_ names: [String]) -> String? {
  guard let last = names.last else { return nil }
  let rest = names.dropLast().joined(separator: ", ")
  return rest.isEmpty ? "Did you mean \(last)?" : "Did you mean \(rest) or \(last)?"
}

/// The optimal string alignment distance.
private func editDistance(_ one: [Character], _ other: [Character]) -> Int {
  if one.isEmpty || other.isEmpty { return max(one.count, other.count) }
  var beforeLast = [Int](repeating: 0, count: other.count + 1)
  var last = Array(0...other.count)
  var row = last
  for i in 1...one.count {
    row[0] = i
    for j in 1...other.count {
      let change = one[i - 1] == other[j - 1] ? 0 : 1
      row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + change)
      if i > 1, j > 1, one[i - 1] == other[j - 2], one[i - 2] == other[j - 1] {
        row[j] = min(row[j], beforeLast[j - 2] + 1)
      }
    }
    (beforeLast, last, row) = (last, row, beforeLast)
  }
  return last[other.count]
}
