// The plugin: it answers with what it got.
"use strict";

const { Connection } = require("./connection.js");

const echo = (params) => params;
new Connection(process.stdin, process.stdout, { "echo/text": echo, "echo/objects": echo });
