#!/usr/bin/env node
import { writeSync } from 'node:fs'
import { announce } from './auth/administrator.ts'
import { groupIn } from './commands/commandLine.ts'
import { commandsHelp, groupHelp } from './commands/help.ts'
import { runCommand } from './commands/run.ts'
import { introduce } from './demo/introduce.ts'
import { asksForHelp, help, readOptions } from './options.ts'
import type { RunningServer } from './server.ts'
import { tellFailure, terminalOn } from './terminal.ts'

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
  // Loaded for those alone who start one: a command answers in half the time without.
  const { startServer } = await import('./server.ts')
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

const toError = (text: string) => void writeSync(2, text)

// Unlike `print`, this waits for readers that are slower than what a command has to tell.
const terminal = terminalOn((text) => void process.stdout.write(text), toError)

/** Ends a start or a command that failed. */
function fail(error: unknown): never {
  process.exit(tellFailure(error, toError))
}

main(process.argv.slice(2)).catch(fail)
