#!/usr/bin/env node
// Committed, unlike `dist`: npm links a command only if its file exists, also in a clone that is not built yet.
import '../dist/main.js'
