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
}
