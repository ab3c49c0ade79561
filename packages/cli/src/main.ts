#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseCommandLine } from '@burgee/kit/commandLine'
import { configFolder } from '@burgee/kit/files'
import { escapeControlCharacters } from '@burgee/kit/text'
import { openProfileFile } from './profiles/profileFile.ts'
import { createProgram } from './program.ts'
import type { Terminal } from './run/terminal.ts'

// biome-ignore lint/style/noProcessEnv: the only place that reads the environment.
const environment = process.env
const folder = environment.BURGEE_CONFIG_DIR || configFolder(environment, process.platform)
const isTerminal = process.stdout.isTTY === true

/** The work under way that ends by itself after an interruption. */
let running: AbortController | undefined

let credentials: ReturnType<Terminal['credentials']> | undefined

const pendingSaves: Terminal['pendingSaves'] = new Set([async () => (await credentials)?.idle()])

const terminal: Terminal = {
  write: (output) => void process.stdout.write(output),
  notice: (line) => void process.stderr.write(`burgee: ${escapeControlCharacters(line)}\n`),
  show: (shown) => void process.stderr.write(`${escapeControlCharacters(shown)}\n`),
  width: process.stdout.columns || 100,
  isTerminal,
  ask: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
  readInput: () => text(process.stdin),
  open: async (address) => {
    const { default: open } = await import('open')
    const browser = await open(address)
    // A missing browser is reported later. It is not an error, since the address is printed.
    browser.on('error', () => {})
  },
  hostname: hostname(),
  environment,
  directory: process.cwd(),
  now: Date.now,
  profiles: openProfileFile(join(folder, 'config.json')),
  credentials: () =>
    (credentials ??= import('./profiles/credentials.ts').then(({ openCredentials }) => openCredentials(folder))),
  interruptible: async (work) => {
    running = new AbortController()
    try {
      return await work(running.signal)
    } finally {
      running = undefined
    }
  },
  pendingWrites: new Set(),
  pendingSaves,
  startInBackground: (args) => {
    const options = { detached: true, stdio: 'ignore', windowsHide: true } as const
    const started = spawn(process.execPath, [fileURLToPath(import.meta.url), ...args], options)
    // If the process cannot start, its work is skipped.
    started.on('error', () => {})
    started.unref()
  }
}

/** The executable `burgee`: runs one command. */
async function main(args: readonly string[]): Promise<void> {
  const line = parseCommandLine(createProgram(), args, environment)
  if (line.type === 'print') return terminal.write(`${line.text}\n`)
  for (const warning of line.warnings) terminal.notice(warning)
  process.exitCode = await line.run(terminal)
}

/** Asks on standard error, so that standard output has only results. */
async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // Without this, Ctrl-C would only end the question.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return await lines.question(escapeControlCharacters(question))
  } finally {
    lines.close()
  }
}

/** Ends the process on a signal, after a refreshed token and a received config are saved. */
async function interrupt(signal: keyof typeof signals): Promise<void> {
  if (running && !running.signal.aborted) {
    terminal.notice('interrupted: finishing the current change; interrupt again to exit immediately')
    running.abort(128 + signals[signal])
    return
  }
  for (const command of terminal.pendingWrites) {
    terminal.notice(`interrupted before the server answered "${command}": the change may have been made or not`)
  }
  await Promise.all([...pendingSaves].map((whenSaved) => whenSaved()))
  process.exit(128 + signals[signal])
}

const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void interrupt(signal))
}

// The reader has what it wanted (EPIPE), or the terminal is gone (EIO).
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) =>
  process.exit(code === 'EPIPE' ? 0 : 128 + signals.SIGHUP)
)
process.stderr.on('error', () => {})

/** Whether a program reads the failure. The command line may be invalid, so its settings are unknown. */
function isForProgram(args: readonly string[]): boolean {
  if (args.includes('--json')) return true
  const flags = args.flatMap((arg, index) => {
    if (/^(-o|--output)$/.test(arg)) return args[index + 1] ?? ''
    return /^(?:-o|--output)=(.*)$/.exec(arg)?.[1] ?? []
  })
  const format = flags.at(-1) ?? environment.BURGEE_OUTPUT
  if (format === 'table') return false
  return format === 'json' || format === 'jsonl' || !isTerminal
}

/** Writes the reason of a failure to standard error, and ends the process with its exit code. */
async function reportFailure(error: unknown, format: 'json' | 'text'): Promise<never> {
  // Loaded on demand, since it knows the errors of sign-ins.
  const { formatFailure, toFailure } = await import('./run/failures/toFailure.ts')
  const failure = toFailure(error)
  try {
    writeSync(2, `${formatFailure(failure, format)}\n`)
  } catch {
    // Standard error is closed.
  }
  process.exit(failure.exit)
}

const args = process.argv.slice(2)
main(args).catch((error: unknown) => reportFailure(error, isForProgram(args) ? 'json' : 'text'))
