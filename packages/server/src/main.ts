#!/usr/bin/env node
import { writeSync } from 'node:fs'
import { findCommandGroup } from './cli/commandLine.ts'
import { formatDemoBanner } from './cli/demo/formatDemoBanner.ts'
import { formatCommandsHelp, formatGroupHelp } from './cli/help.ts'
import { formatHelp, isHelpRequested, parseOptions } from './cli/kit/options.ts'
import { runCommand } from './cli/runCommand.ts'
import { createTerminal, printFailure } from './cli/terminal.ts'
import { formatAdministratorCredentials } from './identity/clients/ensureAdministrator.ts'
import type { RunningServer } from './server.ts'

/** The executable `burgee-server`: settings in, one line when ready, a clean stop at SIGTERM and SIGINT; or a command, and its exit code. */
async function main(args: readonly string[]): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: the one place where the environment enters.
  const environment = process.env
  const group = findCommandGroup(args)
  if (isHelpRequested(args)) {
    print((group && formatGroupHelp(group)) ?? `${formatHelp()}\n\n${formatCommandsHelp()}`)
    return
  }
  if (group !== undefined) {
    process.exitCode = await runCommand(args, environment, terminal)
    return
  }
  const options = parseOptions(args, environment)
  // Loaded for those alone who start one: a command answers in half the time without.
  const { startServer } = await import('./server.ts')
  const server = await startServer(options)
  if (server.demo) print(formatDemoBanner(server.demo, server.url, options.store))
  if (server.administrator) print(formatAdministratorCredentials(server.administrator, server.url))
  // A terminal's signal can arrive twice, from the terminal and from npm; the second one must not cut the first short.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(server).catch(fail))
  void server.closed.then((error) => error && fail(error))
  // Last: whoever reads it may stop the server at once.
  print(`burgee-server listening on ${server.url}`)
}

/** How long callers have to notice that the server is about to stop. */
const LINGER_MS = 1_000

async function stop(server: RunningServer): Promise<void> {
  await server.close({ lingerMs: LINGER_MS })
  process.exit(0)
}

function print(text: string): void {
  writeSync(1, `${text}\n`)
}

const toError = (text: string) => void writeSync(2, text)

// Unlike `print`, this waits for readers that are slower than what a command has to tell.
const terminal = createTerminal((text) => void process.stdout.write(text), toError)

/** Ends a start or a command that failed. */
function fail(error: unknown): never {
  process.exit(printFailure(error, toError))
}

main(process.argv.slice(2)).catch(fail)
