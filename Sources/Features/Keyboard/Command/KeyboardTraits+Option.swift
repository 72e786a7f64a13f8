import CommandLineTool
import CommandRuntime
import Contracts

extension KeyboardTraits {
  /// The traits that an option says, for example `type=emailAddress,secure`.
  ///
  /// - Throws: a usage error that lists what there is.
  init(option: String) throws(CommandLineError) {
    self.init()
    for part in option.split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      try set(pair[0], to: pair.count == 2 ? pair[1] : nil)
    }
  }

  private mutating func set(_ name: String, to value: String?) throws(CommandLineError) {
    switch name {
    case "type": keyboardType = try Self.value(value, of: name)
    case "autocapitalization": autocapitalization = try Self.value(value, of: name)
    case "autocorrection": autocorrection = try Self.value(value, of: name)
    case "spellChecking": spellChecking = try Self.value(value, of: name)
    case "smartQuotes": smartQuotes = try Self.value(value, of: name)
    case "smartDashes": smartDashes = try Self.value(value, of: name)
    case "smartInsertDelete": smartInsertDelete = try Self.value(value, of: name)
    case "returnKey": returnKey = try Self.value(value, of: name)
    case "appearance": appearance = try Self.value(value, of: name)
    case "secure":
      guard value == nil else {
        throw CommandLineError("The trait “secure” has no value.", help: "Write secure alone.")
      }
      isSecureTextEntry = true
    default:
      let names = [
        "type", "autocapitalization", "autocorrection", "spellChecking", "smartQuotes", "smartDashes",
        "smartInsertDelete", "returnKey", "appearance", "secure",
      ]
      throw CommandLineError(
        "There is no trait “\(name.escapedForTerminal)”.",
        help: didYouMean(nearMisses(of: name, in: names)) ?? "The traits are: \(names.joined(separator: ", ")).")
    }
  }

  private static func value<Trait: CaseIterable>(
    _ value: String?, of name: String
  ) throws(CommandLineError) -> Trait {
    if let found = Trait.allCases.first(where: { "\($0)" == value }) { return found }
    throw CommandLineError(
      "“\((value ?? "").escapedForTerminal)” is not a \(name).",
      help: "It is one of: \(Trait.allCases.map { "\($0)" }.joined(separator: ", ")).")
  }
}
