import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { runCommand } from '../../src/cli/runCommand.ts'
import { createTerminal, printFailure } from '../../src/cli/terminal.ts'

/** What a command that has ended left behind. */
export interface ExitResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the built executable to its end. */
export function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<ExitResult> {
  const child = spawn(process.execPath, [executable, ...args], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}

/** Runs a command to its end as the executable does, in this process: to start another takes long. */
export async function runInProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>>
): Promise<ExitResult> {
  let [stdout, stderr] = ['', '']
  const toOutput = (text: string) => {
    stdout += text
  }
  const toError = (text: string) => {
    stderr += text
  }
  const ended = runCommand(args, environment, createTerminal(toOutput, toError))
  const code = await ended.catch((error: unknown) => printFailure(error, toError))
  return { code, stdout, stderr }
}

/** Expects that a command was refused: in one line, which says this, and nothing else. */
export function expectRefusal({ code, stdout, stderr }: ExitResult, says: string | RegExp): void {
  expect(stderr).toMatch(/^burgee-server: [^\n]+\n$/)
  expect(stderr).toMatch(says)
  expect([code, stdout]).toEqual([2, ''])
}

/** The built executable. */
export const executable = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** Expects that there is an executable to run. */
export function expectBuilt(): void {
  expect(existsSync(executable), 'npm run build makes the executable that these tests run').toBe(true)
}
