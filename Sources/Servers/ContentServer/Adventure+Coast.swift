extension Adventure {
  /// Trips by the sea and on the water.
  static let coast = [
    Adventure(
      slug: "lantern-bay-night-paddle", title: "Lantern Bay Night Paddle", type: "Overnight Trip",
      activity: "Social", difficulty: "Beginner", tripLength: "2 Days", groupSize: 10, price: 145.5,
      description: [
        "Lantern Bay is shallow, warm and closed by a sand bar, so the water lies still after sunset.",
        "We paddle in pairs from the old salt jetty to Wick Island, with a paper lantern on every bow.",
      ],
      itinerary: [
        "Day 1: meet at the salt jetty at four, learn the strokes, paddle out at dusk and camp on Wick Island.",
        "Day 2: breakfast of flat bread and figs, walk round the island, paddle home before noon.",
      ],
      gear: ["Swimwear", "A warm layer", "Water shoes"]),
    Adventure(
      slug: "ferrow-reef-surf-week", title: "Ferrow Reef Surf Week", type: "Training Session",
      activity: "Surfing", difficulty: "Intermediate", tripLength: "6 Days", groupSize: 6, price: 1890,
      description: [
        "Ferrow Reef bends the swell into one long left-hand wave that breaks the same way for hours.",
        "Six riders, two teachers and a camera on the headland: every evening we look at every ride.",
      ],
      itinerary: [
        "Days 1 and 2: beach break, take-off and turns.",
        "Days 3 to 5: the reef, first at low swell, then at whatever the sea sends.",
        "Day 6: a last session at dawn, then the ferry.",
      ],
      gear: ["Wetsuit, 3 mm", "Reef boots", "Sun cream without oil"]),
    Adventure(
      slug: "tidewalk-of-the-seven-sands", title: "Tidewalk of the Seven Sands", type: "Day Trip",
      activity: "Hiking", difficulty: "Beginner", tripLength: "1 Day", groupSize: 14, price: 38,
      description: [
        "Twice a month the tide runs out so far that seven sand banks join into a road to the Brindle Light.",
        "The walk is flat, wet and eleven kilometres long, and it has to be over in five hours & ten minutes.",
      ],
      itinerary: ["Out with the ebb, lunch at the Brindle Light, back before the flood."],
      gear: ["Shorts", "Old shoes", "A dry bag for the camera"]),
    Adventure(
      slug: "osprey-cliffs-climb", title: "Osprey Cliffs Climb", type: "Training Session",
      activity: "Rock Climbing", difficulty: "Advanced", tripLength: "3 Days", groupSize: 4, price: 620,
      description: [
        "Grey limestone, forty metres straight out of the sea, with ledges that the ospreys leave in August.",
        "Two guides lead you from single pitches to the long traverse above the Blowing Hole.",
      ],
      itinerary: [
        "Day 1: ropes, knots and three short routes.", "Day 2: multi-pitch routes on the south face.",
        "Day 3: the traverse, if wind and legs allow.",
      ],
      gear: ["Climbing shoes", "Harness and helmet (can be lent)", "Gloves for belaying"]),
    Adventure(
      slug: "salt-road-by-bicycle", title: "The Salt Road by Bicycle", type: "Overnight Trip",
      activity: "Cycling", difficulty: "Intermediate", tripLength: "5 Days", groupSize: 8, price: 780,
      description: [
        "For six hundred years mules carried salt from Port Amble to the valleys; now the road belongs to wheels.",
        "Gravel, cobbles and two tunnels, never steeper than a mule would go.",
      ],
      itinerary: [
        "Day 1: Port Amble to the Weigh House.", "Days 2 and 3: through the Combe villages.",
        "Day 4: the long tunnel and the pass.", "Day 5: downhill to Upper Marrow, where the salt was sold.",
      ],
      gear: ["A bicycle with tyres of 38 mm or more", "Lights for the tunnels", "Rain jacket"]),
  ]
}
