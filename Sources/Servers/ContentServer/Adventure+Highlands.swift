extension Adventure {
  /// Trips in the hills and in the snow.
  static let highlands = [
    Adventure(
      slug: "kettle-pass-snowshoes", title: "Kettle Pass on Snowshoes", type: "Overnight Trip",
      activity: "Camping", difficulty: "Intermediate", tripLength: "3 Days", groupSize: 7, price: 410,
      description: [
        "Kettle Pass keeps its snow until May. We cross it by moonlight, when the crust is hard enough to sing.",
        "Two nights in igloos that you build yourself, with soup from a kettle as large as a washtub.",
      ],
      itinerary: [
        "Day 1: up to the tree line, build the first igloo.", "Day 2: rest until midnight, then over the pass.",
        "Day 3: down through the larch woods.",
      ],
      gear: ["Snowshoes (can be lent)", "Sleeping bag to -15 °C", "Head torch"]),
    Adventure(
      slug: "morrow-glacier-ski-tour", title: "Morrow Glacier Ski Tour", type: "Overnight Trip",
      activity: "Skiing", difficulty: "Expert", tripLength: "8 Days", groupSize: 5, price: 3250,
      description: [
        "From hut to hut round the Morrow group: seven glaciers, four passes and one bath in a hot spring.",
        "For strong skiers who have toured before and like to start at three in the morning.",
      ],
      itinerary: [
        "Day 1: rescue training above Hollin.", "Days 2 to 4: the northern glaciers.",
        "Day 5: the hot spring at Umber Hut.", "Days 6 to 8: the Great Morrow and the long way down.",
      ],
      gear: ["Touring skis with skins", "Transceiver, shovel and probe", "Crampons", "Swimwear, for day 5"]),
    Adventure(
      slug: "thornwood-ridge-run", title: "Thornwood Ridge Run", type: "Day Trip",
      activity: "Running", difficulty: "Advanced", tripLength: "1 Day", groupSize: 12, price: 65,
      description: [
        "Twenty-six kilometres along the spine of the Thornwood, with heather on both sides and no fence at all.",
        "We start in three groups, so that everybody meets at the cairn of Old Hob at noon.",
      ],
      itinerary: ["Bus to Gallow Gate, run to Old Hob, soup, run to Fenner station, train home."],
      gear: ["Trail shoes", "A vest with one litre of water", "Wind jacket"]),
    Adventure(
      slug: "quarry-park-board-days", title: "Quarry Park Board Days", type: "Training Session",
      activity: "Skateboarding", difficulty: "Beginner", tripLength: "2 Days", groupSize: 15, price: 95,
      description: [
        "The slate quarry above Dunmere closed long ago and left bowls as smooth as glass.",
        "Two days of rolling, carving and falling on purpose, for everybody from nine to ninety.",
      ],
      itinerary: ["Day 1: stand, push, stop, turn.", "Day 2: small bowl, large bowl, and the show for the parents."],
      gear: ["Helmet", "Pads for knees and elbows", "A board (can be lent)"]),
    Adventure(
      slug: "nine-becks-bivouac", title: "Nine Becks Bivouac", type: "Overnight Trip",
      activity: "Hiking", difficulty: "Intermediate", tripLength: "4 Days", groupSize: 6, price: 295,
      description: [
        "Nine streams fall into Ullin Water, and beside each of them is a meadow just large enough for six.",
        "No huts, no shop and no signal: we carry what we need and cook what we carry.",
      ],
      itinerary: [
        "Day 1: round the foot of the lake.", "Day 2: three becks and a bath.",
        "Day 3: up to the tarn where they begin.", "Day 4: the ridge back to the bus.",
      ],
      gear: ["Rucksack of 45 litres", "Bivouac bag", "Spoon and bowl"]),
  ]
}
