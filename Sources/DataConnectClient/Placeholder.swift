/// What the client of Data Connect is made of.
enum Placeholder {}
