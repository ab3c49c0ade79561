#!/usr/bin/env node
import { writeSync } from 'node:fs'
import { announce } from './auth/administrator.ts'
import { CommandError } from './commands/command.ts'
import { groupIn } from './commands/commandLine.ts'
import { commandsHelp, groupHelp } from './commands/help.ts'
import { runCommand, type Terminal } from './commands/run.ts'
import { introduce } from './demo/introduce.ts'
import { ApiError } from './errors.ts'
import { asksForHelp, help, OptionError, readOptions } from './options.ts'
import { type RunningServer, startServer } from './server.ts'
import { DuplicateError, StoreOpenError } from './store/store.ts'
import { visible } from './visible.ts'

/** The executable `burgee-server`: settings in, one line when ready, a clean stop at SIGTERM and SIGINT; or a command, and its exit code. */
async function main(args: readonly string[]): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: the one place where the environment enters.
  const environment = process.env
  const group = groupIn(args)
  if (asksForHelp(args)) {
    print((group && groupHelp(group)) ?? `${help()}\n\n${commandsHelp()}`)
    return
  }
  if (group !== undefined) {
    process.exitCode = await runCommand(args, environment, terminal)
    return
  }
  const options = readOptions(args, environment)
  const server = await startServer(options)
  if (server.demo) print(introduce(server.demo, server.url, options.store))
  if (server.administrator) print(announce(server.administrator, server.url))
  // A terminal's signal can arrive twice, from the terminal and from npm; the second one must not cut the first short.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(server).catch(fail))
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

/** What goes to a terminal may come from a server elsewhere, or from whoever wrote what is in the store. */
const terminal: Terminal = {
  // Unlike `print`, this waits for readers that are slower than what a command has to tell.
  print: (line) => void process.stdout.write(`${visible(line)}\n`),
  notice: (line) => writeSync(2, `burgee-server: ${visible(oneLine(line))}\n`)
}

/** Ends a start or a command that failed. What the operator can mend is told in one line and ends with 2; anything else with 1. */
function fail(error: unknown): never {
  const isMendable = mendable.some((kind) => error instanceof kind)
  const told = !(error instanceof Error) ? String(error) : isMendable ? oneLine(error.message) : error.stack
  writeSync(2, `burgee-server: ${visible(String(told))}\n`)
  process.exit(isMendable ? 2 : 1)
}

/** What says that something was asked for that cannot be. */
const mendable = [OptionError, StoreOpenError, CommandError, ApiError, DuplicateError]

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ')
}

main(process.argv.slice(2)).catch(fail)
