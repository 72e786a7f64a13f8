/// What the emulator is made of.
enum Placeholder {}
