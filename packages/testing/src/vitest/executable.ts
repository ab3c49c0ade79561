import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect } from 'vitest'
import { addCleanup } from '../cleanup.ts'

/** The result of a finished run. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A process of an executable. */
export interface Running {
  readonly write: (text: string) => void
  /** Closes its standard input. */
  readonly hangUp: () => void
  /** Closes its standard output, as a reader that has read enough. */
  readonly stopReading: () => void
  readonly kill: (signal: NodeJS.Signals) => void
  readonly stdout: () => string
  readonly stderr: () => string
  readonly ended: Promise<Ended>
}

type Environment = Readonly<Record<string, string | undefined>>

/** A built executable, whose processes have only the given environment. */
export interface Executable {
  readonly start: (args: readonly string[], environment?: Environment) => Running
  /** Runs to completion, without standard input. */
  readonly run: (args: readonly string[], environment?: Environment) => Promise<Ended>
}

/** Returns the executable of a file. */
export function executableOf(file: string): Executable {
  const start: Executable['start'] = (args, environment = {}) => startExecutable(file, args, environment)
  return {
    start,
    run: (args, environment) => {
      const running = start(args, environment)
      running.hangUp()
      return running.ended
    }
  }
}

function startExecutable(executable: string, args: readonly string[], environment: Environment): Running {
  expect(existsSync(executable), 'npm run build makes the executable that these tests run').toBe(true)
  const child = spawn(process.execPath, [executable, ...args], { env: { ...environment }, stdio: 'pipe' })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  // A finished process reads nothing.
  child.stdin.on('error', () => {})
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
  addCleanup(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    write: (text) => void child.stdin.write(text),
    hangUp: () => void child.stdin.end(),
    stopReading: () => void child.stdout.destroy(),
    kill: (signal) => void child.kill(signal),
    stdout: () => stdout,
    stderr: () => stderr,
    ended
  }
}
