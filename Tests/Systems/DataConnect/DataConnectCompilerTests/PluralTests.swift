import DataConnectCompiler
import Testing

/// Plurals as the public tools make them.
@Suite(.timeLimit(.minutes(1)))
struct `The plural of a type` {
  private static let words = """
    cafe cafes, safe safes, canvas canvases, thief thieves, schema schemata, curriculum curricula, virus viri,
    focus foci, criterion criteria, appendix appendices, person people, child children, man men, woman women,
    mouse mice, louse lice, foot feet, tooth teeth, goose geese, ox oxen, axe axes, die dice, quiz quizzes,
    human humans, proof proofs, valve valves, groove grooves, echo echoes, volcano volcanoes, tornado tornadoes,
    torpedo torpedoes, genus genera, stigma stigmata, lemma lemmata, dogma dogmata, category categories, day days,
    key keys, monkey monkeys, city cities, box boxes, church churches, dish dishes, class classes,
    buzz buzzes, matrix matrices, codex codices, index indices, vertex vertices, silex silices, wife wives,
    knife knives, life lives, leaf leaves, loaf loaves, calf calves, half halves, shelf shelves, scarf scarves,
    hoof hooves, chief chiefs, roof roofs, belief beliefs, cliff cliffs, staff staffs, analysis analyses,
    basis bases, crisis crises, thesis theses, axis axes, testis testes, phenomenon phenomena, organon organa,
    polyhedron polyhedra, automaton automata, datum data, bacterium bacteria, symposium symposia, stratum strata,
    erratum errata, millennium millennia, hero heroes, potato potatoes, tomato tomatoes, photo photos, piano pianos,
    zero zeros, memo memos, seraph seraphim, cherub cherubim, alumna alumnae, alga algae, vertebra vertebrae,
    alumnus alumni, syllabus syllabi, radius radii, nucleus nuclei, fungus fungi, cactus cacti, stimulus stimuli,
    terminus termini, bacillus bacilli, locus loci, status statuses, bonus bonuses, campus campuses, bus buses,
    octopus octopuses, alias aliases, atlas atlases, gas gases, iris irises, menu menus, emu emus, test tests,
    movie movies, actor actors, review reviews, user users, order orders, item items, product products, note notes,
    tag tags, post posts, comment comments, address addresses, process processes, match matches, branch branches,
    tax taxes, fix fixes, wish wishes, brush brushes, company companies, country countries, story stories,
    reply replies, delivery deliveries, inventory inventories, entry entries, activity activities, library libraries,
    toy toys, boy boys, display displays, survey surveys, journey journeys, money monies, honey honeys,
    sheep sheeps, fish fishs, deer deers, series seriess, species speciess, news newss, media medias,
    equipment equipments, information informations, rice rices, music musics, traffic traffics, software softwares,
    police polices, energy energys, mail mails, aid aids, audio audios, salmon salmons, shrimp shrimps,
    measles measless, smallpox smallpoxs, chinese chineses, japanese japaneses, data datas, metadata metadatas,
    movieMetadata movieMetadatas, userProfile userProfiles, blogPost blogPosts, salesPerson salesPeople,
    stepChild stepChildren, workMan workMen, productCategory productCategories, userAddress userAddresses,
    orderStatus orderStatuses, priceIndex priceIndices, homeCity homeCities, dataSchema dataSchemas,
    fileLeaf fileLeaves, computerMouse computerMouses, table2 table2s, userA userAS, planB planBS, pathX pathXES,
    eventLog eventLogs, cart carts, wolf wolves, elf elves, self selves, gulf gulves, dwarf dwarves, reef reefs,
    beef beefs, thou you, this these, that those, passerby passersby, pickaxe pickaxes, yes yeses, eave eaves,
    bureau bureaus, plateau plateaus, gallery galleries, quay quays, soliloquy soliloquies, guy guys, essay essays,
    recipe recipes, ingredient ingredients, restaurant restaurants, account accounts, session sessions,
    message messages, chat chats, room rooms, device devices, sensor sensors, reading readings, image images,
    video videos, song songs, album albums, artist artists, genre genres, event events, ticket tickets, venue venues,
    seat seats, booking bookings, payment payments, invoice invoices, customer customers, employee employees,
    department departments, project projects, task tasks, milestone milestones, team teams, role roles,
    permission permissions, group groups, member members, todo todos, stereo stereos, veto vetos, embargo embargos,
    cargo cargos, mango mangos, ego egos
    """

  @Test func `is that of the rules, for some two hundred words`() throws {
    let pairs = Self.words.split(whereSeparator: { ",\n".contains($0) }).map {
      $0.split(separator: " ").map(String.init)
    }
    .filter { $0.count == 2 }
    #expect(pairs.count > 200)
    for pair in pairs {
      let type = pair[0].prefix(1).uppercased() + pair[0].dropFirst()
      let result = Fixture.compile("type \(type) @table { x: Int }")
      #expect(result.schema?.table(String(type))?.plural == pair[1], "\(pair[0])")
    }
  }
}
