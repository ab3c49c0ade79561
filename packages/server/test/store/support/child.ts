import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Bundles a TypeScript program for Node in the given directory. */
export async function bundle(program: URL, directory: string): Promise<string> {
  const outfile = join(directory, 'program.mjs')
  await build({
    entryPoints: [fileURLToPath(program)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['pg-native'],
    // Some dependencies are CommonJS modules.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" }
  })
  return outfile
}

/** Starts a process whose output is read as text and whose errors go to our standard error. */
export function start(command: string, ...options: readonly string[]): Child {
  const child = spawn(command, options, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  return { process: child, output: text(child.stdout), exit }
}

/** A child process of a test; `exit` waits for its end. */
export interface Child {
  readonly process: ChildProcessByStdio<null, Readable, null>
  readonly output: Promise<string>
  readonly exit: Promise<unknown>
}
