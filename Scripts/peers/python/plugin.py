"""The plugin: it answers JSON-RPC 2.0, a message in a line, with what it got. All answers of one read go out in one write."""

import json
import os
import sys


def reads(descriptor):
    """The whole lines of each read, as long as there are any."""
    begun = []
    while chunk := os.read(descriptor, 1 << 20):
        whole, newline, rest = chunk.rpartition(b"\n")
        if not newline:
            begun.append(rest)
            continue
        lines = b"".join([*begun, whole]).split(b"\n")
        begun = [rest]
        yield lines


def encoded(message):
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def answer(line):
    request = json.loads(line)
    if request["method"] in ("echo/text", "echo/objects"):
        return encoded({"jsonrpc": "2.0", "id": request["id"], "result": request["params"]})
    error = {"code": -32601, "message": "Method not found"}
    return encoded({"jsonrpc": "2.0", "id": request["id"], "error": error})


if __name__ == "__main__":
    for lines in reads(0):
        sys.stdout.buffer.write(b"".join([answer(line) for line in lines]))
        sys.stdout.buffer.flush()
