import { spawn, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addCleanup } from '@burgee/testing/cleanup'
import { expect } from 'vitest'
import { executable, makeFolder } from './program.ts'

/** `script` of util-linux opens terminals. That of BSD and macOS has other options, and Windows has none. */
export const hasTerminals = spawnSync('script', ['--version']).stdout?.includes('util-linux') ?? false

/** A command that runs in a terminal of its own. */
export interface InTerminal {
  /** What the terminal has shown, with line breaks as in files. */
  readonly screen: () => string
  /** Waits until the terminal shows a text. */
  readonly shows: (text: string) => Promise<void>
  /** Types keys: `\r` is Enter, `\x03` Ctrl-C. */
  readonly type: (keys: string) => void
  /** Closes the terminal, as a person who closes its window. */
  readonly close: () => void
  /** Waits for the end of the command, and returns its exit code. */
  readonly code: () => Promise<number>
}

/** Runs the built executable in a terminal of 100 columns. */
export async function runInTerminal(
  args: readonly string[],
  environment: Readonly<Record<string, string>>
): Promise<InTerminal> {
  const file = join(await makeFolder(), 'code')
  const words = [process.execPath, executable, ...args].map((word) => `'${word}'`).join(' ')
  // The shell outlives its terminal, to write the exit code.
  const line = `trap : HUP; stty cols 100; ${words}; echo $? > '${file}'`
  const child = spawn('script', ['-qfc', line, '/dev/null'], {
    env: { PATH: process.env.PATH, SHELL: '/bin/sh', TERM: 'xterm', ...environment }
  })
  let screen = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    screen += text.replaceAll('\r\n', '\n')
  })
  child.stdin.on('error', () => {})
  addCleanup(() => void child.kill('SIGKILL'))
  const patience = { timeout: 60_000, interval: 20 }
  return {
    screen: () => screen,
    shows: (text) => expect.poll(() => screen, patience).toContain(text),
    type: (keys) => void child.stdin.write(keys),
    close: () => void child.kill('SIGKILL'),
    code: async () => {
      const read = () => readFile(file, 'utf8').catch(() => '')
      await expect.poll(read, patience).toMatch(/\n$/)
      return Number(await read())
    }
  }
}
