import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Child processes that run, with the signals that end them, and temporary directories. */
const children = new Map()
const directories = []

/** Ends a child process when this program ends, also by a signal or an error. Returns the child. */
export function own(child, signal = 'SIGKILL') {
  children.set(child, signal)
  child.once('exit', () => children.delete(child))
  return child
}

/** Creates a temporary directory, which is removed when this program ends, also by a signal or an error. */
export function temporaryDirectory(parent = tmpdir()) {
  const directory = mkdtempSync(join(parent, 'burgee-bench-'))
  directories.push(directory)
  return directory
}

function cleanUp() {
  for (const [child, signal] of children) child.kill(signal)
  // A process that ends can still write for a moment.
  for (const directory of directories) rmSync(directory, { recursive: true, force: true, maxRetries: 10 })
}

process.on('exit', cleanUp)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => process.exit(128 + constants.signals[signal]))
}
