#!/usr/bin/env node
import { writeSync } from 'node:fs'
import { parseCommandLine } from '@burgee/kit/commandLine'
import { withoutTrailingSlashes } from '@burgee/kit/text'
import { createProgram } from './cli/commands/program.ts'
import { formatDemoBanner } from './cli/demo/formatDemoBanner.ts'
import type { Options } from './cli/options.ts'
import { createTerminal, printFailure } from './cli/terminal.ts'
import type { RunningServer } from './composition/runningServer.ts'
import { isDatabaseUrl, maskStoreUrl } from './storage/storeUrl.ts'
import { packageVersion } from './version.ts'

/** The executable `burgee-server`: runs a command, or a server until SIGTERM or SIGINT. */
async function main(args: readonly string[]): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: the only place that reads the environment.
  const line = parseCommandLine(createProgram({ version: packageVersion(), start }), args, process.env)
  if (line.type === 'print') {
    print(line.text)
    return
  }
  for (const warning of line.warnings) terminal.notice(warning)
  process.exitCode = await line.run(terminal)
}

async function start(options: Options): Promise<void> {
  // Loaded on demand: commands start in half the time without it.
  const { startServer } = await import('./server.ts')
  const { announceAdministrator } = await import('./cli/announceAdministrator.ts')
  const server = await startServer(options, { warmUpMs: WARM_UP_MS })
  const { signInLink } = server
  const url = withoutTrailingSlashes(options.publicUrl) || server.url
  if (server.demo) print(formatDemoBanner(server.demo, { url, signInLink }, maskStoreUrl(options.store)))
  if (server.administrator) {
    const destination = { url, store: options.store, isTerminal: process.stdout.isTTY === true }
    print(await announceAdministrator(server.administrator, destination))
  }
  // A store in memory ends with the process, so that no command can add people to it.
  if (server.needsPerson && options.store !== 'memory:') {
    const command = '"burgee-server users add you@example.com" and the same store'
    // Only a directory belongs to one process.
    const steps = isDatabaseUrl(options.store)
      ? `add the first person with ${command}`
      : `stop the server, add the first person with ${command}, and start it again`
    print(
      `Nobody can sign in to the dashboard at ${url} yet: ${steps}. ${url}/docs/guides/access-control.md has other ways.`
    )
  }
  // npm and the terminal can both forward the same Ctrl+C; a second signal must not interrupt the shutdown.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(server, options).catch(fail))
  void server.closed.then((error) => error && fail(error))
  // Printed last: a program that waits for this line may stop the server immediately.
  print(`burgee-server listening on ${server.url}`)
}

async function stop(server: RunningServer, { shutdownNoticeSeconds }: Options): Promise<void> {
  await server.close({ lingerMs: 1_000 * shutdownNoticeSeconds })
  process.exit(0)
}

/** Long enough for two environments with 1,000 features each. */
const WARM_UP_MS = 300

function print(text: string): void {
  writeSync(1, `${text}\n`)
}

const toError = (text: string) => void writeSync(2, text)

// The reader of a pipe may close it early, as `head` does. The command still completes, and so releases the store.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
// Buffers, unlike `print`: `audit export` can write faster than the reader of a pipe.
const terminal = createTerminal((text) => void process.stdout.write(text), toError)

/** Exits after a failed start or command. */
function fail(error: unknown): never {
  process.exit(printFailure(error, toError))
}

main(process.argv.slice(2)).catch(fail)
