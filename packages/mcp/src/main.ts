#!/usr/bin/env node
import { writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { escapeControlCharacters } from '@burgee/kit/text'
import type { Terminal } from './commands/command.ts'
import { commandNamed, runCommand } from './commands/commands.ts'
import { noArguments } from './commands/noArguments.ts'
import { commandHelp, help } from './help.ts'
import { openCredentialFile } from './login/credentialFile.ts'
import { allSettings, flagsOf, readArguments, readOptions } from './options.ts'
import { version } from './packageRoot.ts'
import { tellFailure } from './tellFailure.ts'

// biome-ignore lint/style/noProcessEnv: the one place where the environment enters.
const environment = process.env
const file = openCredentialFile(environment, process.platform)

/** The executable `burgee-mcp`: serves assistants until they have gone or a signal comes; or runs a command, and ends with its exit code. */
async function main(args: readonly string[]): Promise<void> {
  const [name = '', ...rest] = args
  const command = name === '' || name.startsWith('-') ? undefined : commandNamed(name)
  if (args.includes('--help') || args.includes('-h')) return print(command ? commandHelp(command) : help())
  if (args.includes('--version')) return print(version)
  if (command) {
    process.exitCode = await runCommand(command, rest, environment, terminal)
    return
  }
  const given = readArguments(args, flagsOf(allSettings))
  noArguments(given)
  const options = readOptions(allSettings, given, environment)
  // Loaded for those alone who serve: a command answers sooner without.
  const { serve } = await import('./serve.ts')
  // A log that nobody reads any more ends nothing.
  process.stderr.on('error', () => {})
  await serve(options, { file, write: (text) => void process.stderr.write(text), onSignal })
  await file.idle()
  process.exit(0)
}

/** Does `stop` when somebody wants this to end; what ends then is `main`. */
function onSignal(stop: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
}

const terminal: Terminal = {
  print: (line) => void process.stdout.write(`${escapeControlCharacters(line)}\n`),
  notice: (line) => void process.stderr.write(`burgee-mcp: ${escapeControlCharacters(line)}\n`),
  ask: process.stdin.isTTY ? ask : undefined,
  open: async (address) => {
    const { default: open } = await import('open')
    const browser = await open(address)
    // One that is not there says so later.
    browser.on('error', () => {})
  },
  hostname: hostname(),
  file,
  now: Date.now
}

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await lines.question(question)
  } finally {
    lines.close()
  }
}

function print(text: string): void {
  writeSync(1, `${text}\n`)
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.exit(tellFailure(error, (text) => void writeSync(2, text)))
})
