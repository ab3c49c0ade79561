#!/usr/bin/env node
import { writeSync } from 'node:fs'
import { parseCommandLine } from '@burgee/kit/commandLine'
import { createProgram } from './cli/commands/program.ts'
import { formatDemoBanner } from './cli/demo/formatDemoBanner.ts'
import type { Options } from './cli/settings.ts'
import { createTerminal, printFailure } from './cli/terminal.ts'
import { formatAdministratorCredentials } from './identity/clients/ensureAdministrator.ts'
import type { RunningServer } from './server.ts'
import { packageVersion } from './version.ts'

/** The executable `burgee-server`: runs a command, or a server until SIGTERM or SIGINT. */
async function main(args: readonly string[]): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: the one place where the environment enters.
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
  const server = await startServer(options)
  if (server.demo) print(formatDemoBanner(server.demo, server.url, options.store))
  if (server.administrator) print(formatAdministratorCredentials(server.administrator, server.url))
  // npm and the terminal can both forward one Ctrl+C; the second signal must not cut the stop short.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(server).catch(fail))
  void server.closed.then((error) => error && fail(error))
  // Printed last, since readers of this line may stop the server at once.
  print(`burgee-server listening on ${server.url}`)
}

/** How long the server announces its stop to callers before it stops listening, in milliseconds. */
const LINGER_MS = 1_000

async function stop(server: RunningServer): Promise<void> {
  await server.close({ lingerMs: LINGER_MS })
  process.exit(0)
}

function print(text: string): void {
  writeSync(1, `${text}\n`)
}

const toError = (text: string) => void writeSync(2, text)

// Unlike `print`, this buffers: `audit export` can write faster than a pipe is read.
const terminal = createTerminal((text) => void process.stdout.write(text), toError)

/** Ends the process after a start or a command that failed. */
function fail(error: unknown): never {
  process.exit(printFailure(error, toError))
}

main(process.argv.slice(2)).catch(fail)
