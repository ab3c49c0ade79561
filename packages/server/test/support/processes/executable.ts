import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseCommandLine } from '@burgee/kit/commandLine'
import type { Environment } from '@burgee/kit/settings'
import { expect } from 'vitest'
import { createProgram } from '../../../src/cli/commands/program.ts'
import { createTerminal, printFailure } from '../../../src/cli/terminal.ts'

/** The result of a command. */
export interface ExitResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the built executable to its end. */
export function run(args: readonly string[], environment: Environment = {}): Promise<ExitResult> {
  const child = spawn(process.execPath, [executable, ...args], {
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}

/** Runs a command like the executable does, but in this process, which is faster. */
export async function runInProcess(args: readonly string[], environment: Environment): Promise<ExitResult> {
  let [stdout, stderr] = ['', '']
  const toOutput = (text: string) => {
    stdout += text
  }
  const toError = (text: string) => {
    stderr += text
  }
  const runLine = async () => {
    const line = parseCommandLine(createProgram({ version: '1.2.3', start: rejectStart }), args, environment)
    if (line.type === 'run') return line.run(createTerminal(toOutput, toError))
    toOutput(`${line.text}\n`)
    return 0
  }
  const code = await runLine().catch((error: unknown) => printFailure(error, toError))
  return { code, stdout, stderr }
}

function rejectStart(): Promise<never> {
  return Promise.reject(new Error('no command was named, so a server would start'))
}

/** Expects that a command failed with exit code 2 and this one line. */
export function expectRefusal({ code, stdout, stderr }: ExitResult, says: string | RegExp): void {
  expect(stderr).toMatch(/^burgee-server: [^\n]+\n$/)
  expect(stderr).toMatch(says)
  expect([code, stdout]).toEqual([2, ''])
}

/** The built executable. */
export const executable = fileURLToPath(new URL('../../../dist/main.js', import.meta.url))

/** Fails early when the executable has not been built. */
export function expectBuilt(): void {
  expect(existsSync(executable), 'npm run build makes the executable that these tests run').toBe(true)
}
