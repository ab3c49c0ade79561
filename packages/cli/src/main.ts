#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseCommandLine } from '@burgee/kit/commandLine'
import { configFolder } from '@burgee/kit/files'
import { escapeControlCharacters } from '@burgee/kit/text'
import { openProfileFile } from './profiles/profileFile.ts'
import { createProgram } from './program.ts'
import { askOn } from './run/askOn.ts'
import { exitCodes } from './run/failures/exitCodes.ts'
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
  drained: async () => {
    if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain')
  },
  notice: (line) => void process.stderr.write(`burgee: ${escapeControlCharacters(line)}\n`),
  show: (shown) => void process.stderr.write(`${escapeControlCharacters(shown)}\n`),
  width: process.stdout.columns || Number.POSITIVE_INFINITY,
  isTerminal,
  // On standard error, so that standard output has only results.
  ask: process.stdin.isTTY && process.stderr.isTTY ? askOn(process.stdin, process.stderr, interruptSelf) : undefined,
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

function interruptSelf(): void {
  process.kill(process.pid, 'SIGINT')
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

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // The reader has what it wanted.
  if (code === 'EPIPE') process.exit(0)
  // The terminal is gone.
  if (code === 'EIO' && isTerminal) process.exit(128 + signals.SIGHUP)
  writeError(`burgee: standard output cannot be written: ${message}. What the command changed stays`)
  process.exit(exitCodes.output)
})
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
  writeError(formatFailure(failure, format))
  process.exit(failure.exit)
}

/** Writes the last line before the process ends. */
function writeError(line: string): void {
  try {
    writeSync(2, `${line}\n`)
  } catch {
    // Standard error is closed.
  }
}

const args = process.argv.slice(2)
main(args).catch((error: unknown) => reportFailure(error, isForProgram(args) ? 'json' : 'text'))
