import Activation
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A comparison of texts` {
  /// What each option leaves out of account, for letters that stand in one character or in several.
  @Test(
    arguments: [
      ("'Ångström' BEGINSWITH[cd] 'angst'", true), ("'A\\u030angstro\\u0308m' ==[cd] 'ångström'", true),
      ("'ΑΘΉΝΑ' CONTAINS[cd] 'αθηνα'", true), ("'Ёлка' ==[cd] 'елка'", true), ("'Việt Nam' LIKE[cd] 'viet*'", true),
      ("'ế' MATCHES[d] 'e'", true), ("'Łódź' ==[d] 'Łodz'", true), ("'Łódź' ==[d] 'Lodz'", false),
      ("'각' ==[d] '\\u1100\\u1161\\u11a8'", true), ("'각' CONTAINS[d] '\\u1100\\u1161\\u11a8'", true),
      ("'Café' ==[c] 'cafe'", false), ("'CAFÉ' ==[c] 'café'", true), ("'STRASSE' ==[c] 'straße'", false),
      ("'\\u212b' ==[d] 'A'", true), ("'が' ==[d] 'か'", true), ("'ぷ' CONTAINS[d] 'ふ'", true),
    ])
  func `leaves out what its options name`(text: String, holds: Bool) throws {
    #expect(try Predicate(text).match([ActivationItem()], in: .standard).isOffered == holds)
  }

  /// An accent as a code point of its own is the same text, and other bytes.
  @Test(
    arguments: [
      ("'\\u00e9a' BEGINSWITH{} 'e\\u0301'", true, false), ("'a\\u00e9' ENDSWITH{} 'e\\u0301'", true, false),
      ("'a\\u00e9b' LIKE{} '*e\\u0301?'", true, false), ("'\\u00e9' <={} 'e\\u0301'", true, false),
      ("'\\u00e9' >{} 'e\\u0301'", false, true), ("'e\\u0301' <{} '\\u00e9'", false, true),
      ("'e\\u0301a' BEGINSWITH{} 'e'", false, true), ("'e\\u0301' ENDSWITH{} '\\u0301'", false, true),
      ("'\\u00e9a' BEGINSWITH{} '\\u00e9'", true, true), ("'a\\u00e9' ENDSWITH{} '\\u00e9'", true, true),
      ("'a\\u00e9' LIKE{} '?\\u00e9'", true, true), ("'\\u00e9' >={} '\\u00e9'", true, true),
      ("'\\u00e9' <{} '\\u00e9'", false, false), ("'a' ENDSWITH{} 'aa'", false, false),
    ])
  func `takes texts byte by byte where it says so`(text: String, asText: Bool, asBytes: Bool) throws {
    for (options, holds) in [("", asText), ("[n]", asBytes)] {
      let predicate = try Predicate(text.replacing("{}", with: options))
      #expect(predicate.match([ActivationItem()], in: .standard).isOffered == holds, "\(predicate.source)")
    }
  }
}
