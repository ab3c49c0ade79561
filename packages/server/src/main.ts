#!/usr/bin/env node
import { writeSync } from 'node:fs'
import { announce } from './auth/administrator.ts'
import { introduce } from './demo/introduce.ts'
import { asksForHelp, help, OptionError, readOptions } from './options.ts'
import { type RunningServer, startServer } from './server.ts'
import { StoreOpenError } from './store/store.ts'

/** The executable `burgee-server`: settings in, one line when ready, a clean stop at SIGTERM and SIGINT. */
async function main(args: readonly string[]): Promise<void> {
  if (asksForHelp(args)) {
    print(help())
    return
  }
  // biome-ignore lint/style/noProcessEnv: the one place where the environment enters.
  const options = readOptions(args, process.env)
  const server = await startServer(options)
  if (server.demo) print(introduce(server.demo, server.url, options.store))
  if (server.administrator) print(announce(server.administrator, server.url))
  print(`burgee-server listening on ${server.url}`)
  // A terminal's signal can arrive twice, from the terminal and from npm; the second one must not cut the first short.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(server).catch(fail))
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

/** Ends a start that failed. What the operator can mend is told in one line and ends with 2; anything else with 1. */
function fail(error: unknown): never {
  const isMendable = error instanceof OptionError || error instanceof StoreOpenError
  const told = isMendable ? oneLine(error.message) : error instanceof Error ? error.stack : String(error)
  writeSync(2, `burgee-server: ${told}\n`)
  process.exit(isMendable ? 2 : 1)
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ')
}

main(process.argv.slice(2)).catch(fail)
