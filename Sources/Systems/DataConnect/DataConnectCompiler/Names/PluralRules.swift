/// What the package `pluralize` knows of English.
enum PluralRules {
  /// The first that matches counts.
  static let rules = [
    // Words that are their own plural.
    PluralRule("pok[eé]mon [^aeiou]ese deer fish measles o[iu]s pox sheep", "-", nil),
    PluralRule("", "thou", "you", isWhole: true), PluralRule("", "man men", "men"), PluralRule("eaux", "-", nil),
    PluralRule("child", "- ren", "ren"), PluralRule("pe", "rson ople", "ople"),
    PluralRule("m titm l", "ice ouse", "ice", isWhole: true),
    PluralRule("matr cod mur sil vert ind append", "ix ex", "ices"), PluralRule("x ch ss sh zz", "-", "es"),
    PluralRule("[^ch][ieo][ln]", "ey", "ies"), PluralRule("[^aeiouy] qu", "y", "ies"),
    PluralRule("kni wi li", "fe", "ves"), PluralRule("ar l ea eo oa hoo", "f", "ves"), PluralRule("", "sis", "ses"),
    PluralRule("apheli hyperbat periheli asyndet noumen phenomen criteri organ prolegomen hedr automat", "a on", "a"),
    PluralRule(
      "agend addend millenni dat extrem bacteri desiderat strat candelabr errat ov symposi curricul automat quor",
      "a um", "a"),
    PluralRule("her at gr", "o", "oes"), PluralRule("seraph cherub", "- im", "im"),
    PluralRule("alumn alg vertebr", "a ae", "ae"),
    PluralRule(
      "alumn syllab vir radi nucle fung cact stimul termin bacill foc uter loc strat", "us i", "i"),
    PluralRule("[^l]ias [aeiou]las [ejzr]as [iu]am", "-", nil), PluralRule("e[mn]u", "- s", "s"),
    PluralRule("alias [^aou]us t[lm]as gas ris", "-", "es"), PluralRule("ax test", "is", "es"),
    PluralRule("", "- s", "s"),
  ]

  /// The plurals of words that no rule gives.
  static let irregular = [
    "i": "we", "me": "us", "he": "they", "she": "they", "them": "them", "myself": "ourselves",
    "yourself": "yourselves", "itself": "themselves", "herself": "themselves", "himself": "themselves",
    "themself": "themselves", "is": "are", "was": "were", "has": "have", "this": "these", "that": "those", "my": "our",
    "its": "their", "his": "their", "her": "their",
    "echo": "echoes", "dingo": "dingoes", "volcano": "volcanoes", "tornado": "tornadoes", "torpedo": "torpedoes",
    "genus": "genera", "viscus": "viscera", "stigma": "stigmata", "stoma": "stomata", "dogma": "dogmata",
    "lemma": "lemmata", "schema": "schemata", "anathema": "anathemata",
    "ox": "oxen", "axe": "axes", "die": "dice", "yes": "yeses", "foot": "feet", "eave": "eaves", "goose": "geese",
    "tooth": "teeth", "quiz": "quizzes", "human": "humans", "proof": "proofs", "carve": "carves", "valve": "valves",
    "looey": "looies", "thief": "thieves", "groove": "grooves", "pickaxe": "pickaxes", "passerby": "passersby",
    "canvas": "canvases",
  ]
  static let irregularPlurals = Set(irregular.values)

  /// Words that have no plural.
  static let unchanging = Set(
    """
    adulthood advice agenda aid aircraft alcohol ammo analytics anime athletics audio bison blood bream buffalo butter
    carp cash chassis chess clothing cod commerce cooperation corps debris diabetes digestion elk energy equipment
    excretion expertise firmware flounder fun gallows garbage graffiti hardware headquarters health herpes highjinks
    homework housework information jeans justice kudos labour literature machinery mackerel mail manga media mews moose
    mud music news only personnel pike plankton pliers police pollution premises rain research rice salmon scissors
    series sewage shambles shrimp software species staff swine tennis traffic transportation trout tuna wealth welfare
    whiting wildebeest wildlife you
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}
