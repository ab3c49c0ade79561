#!/usr/bin/env node
import { writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { parseCommandLine } from '@burgee/kit/commandLine'
import { escapeControlCharacters } from '@burgee/kit/text'
import type { Terminal } from './commands/terminal.ts'
import { program } from './executable/program.ts'
import { reportFailure } from './executable/reportFailure.ts'
import { openSignIns } from './login/credentials.ts'

// biome-ignore lint/style/noProcessEnv: the only place that reads the environment.
const environment = process.env

/** The executable `burgee-mcp`: serves until the client disconnects or a signal arrives, or runs a command. */
async function main(args: readonly string[]): Promise<void> {
  const line = parseCommandLine(program, args, environment)
  if (line.type === 'print') {
    writeSync(1, `${line.text}\n`)
    return
  }
  for (const warning of line.warnings) terminal.notice(warning)
  process.exitCode = await line.run(terminal)
  // Standard input would keep the process alive.
  if (line.command === program.main) process.exit()
}

const terminal: Terminal = {
  print: (text) => void process.stdout.write(`${escapeControlCharacters(text)}\n`),
  notice: (text) => void process.stderr.write(`burgee-mcp: ${escapeControlCharacters(text)}\n`),
  ask: process.stdin.isTTY ? ask : undefined,
  open: async (address) => {
    const { default: open } = await import('open')
    const browser = await open(address)
    // A missing browser is reported later. It is not an error, since the address is printed.
    browser.on('error', () => {})
  },
  hostname: hostname(),
  file: openSignIns(environment, process.platform),
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

main(process.argv.slice(2)).catch((error: unknown) => {
  process.exit(reportFailure(error, (text) => void writeSync(2, text)))
})
