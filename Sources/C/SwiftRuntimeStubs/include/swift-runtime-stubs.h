#pragma once

// SwiftPM links every executable through swiftc, which adds an object that registers the image with the Swift runtime.
// A static C program holds no Swift code and must not carry the runtime, so it answers these two references itself:
// nothing is registered, nothing is ever symbolicated.

void swift_addNewDSOImage(const void *image);
char _swift_backtrace_isThunkFunction(const char *name);
