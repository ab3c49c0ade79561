import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseJson } from '@burgee/kit'
import { parseCommandLine } from '@burgee/kit/commandLine'
import type { Environment } from '@burgee/kit/settings'
import { addCleanup } from '@burgee/testing/cleanup'
import { type Ended, executableOf } from '@burgee/testing/vitest/executable'
import { expect } from 'vitest'
import { openCredentials } from '../../src/profiles/credentials.ts'
import { openProfileFile } from '../../src/profiles/profileFile.ts'
import { createProgram } from '../../src/program.ts'
import { formatFailure, toFailure } from '../../src/run/failures/toFailure.ts'
import type { Terminal } from '../../src/run/terminal.ts'

/** The built executable. */
export const executable = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

export const { start, run } = executableOf(executable)

/** Creates an empty configuration folder, which `BURGEE_CONFIG_DIR` names. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'burgee-cli-'))
  addCleanup(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const program = createProgram()

/** Runs a command in this process, where tests can answer questions and be a terminal. */
export async function runHere(
  args: readonly string[],
  environment: Environment,
  person: Partial<
    Pick<
      Terminal,
      'ask' | 'drained' | 'open' | 'interruptible' | 'isTerminal' | 'width' | 'now' | 'readInput' | 'directory'
    >
  > = {}
): Promise<Ended> {
  let [stdout, stderr] = ['', '']
  const folder = environment.BURGEE_CONFIG_DIR ?? join(tmpdir(), 'burgee-without-configuration')
  const terminal: Terminal = {
    write: (text) => {
      stdout += text
    },
    drained: async () => {},
    notice: (line) => {
      stderr += `burgee: ${line}\n`
    },
    show: (text) => {
      stderr += `${text}\n`
    },
    // As in main.ts: only terminals have a width.
    width: person.isTerminal ? 100 : Number.POSITIVE_INFINITY,
    isTerminal: false,
    ask: undefined,
    readInput: async () => '',
    open: async () => {},
    hostname: 'test-computer',
    environment,
    directory: folder,
    now: Date.now,
    profiles: openProfileFile(join(folder, 'config.json')),
    credentials: async () => openCredentials(folder),
    interruptible: (work) => work(new AbortController().signal),
    pendingWrites: new Set(),
    pendingSaves: new Set(),
    startInBackground: () => {},
    ...person
  }
  const runLine = async () => {
    const line = parseCommandLine(program, args, environment)
    if (line.type === 'run') {
      const ended = await line.run(terminal)
      if (printsJson(line.given.settings, terminal)) await assertMatchesSchema(line.command.name, stdout)
      return ended
    }
    terminal.write(`${line.text}\n`)
    return 0
  }
  const code = await runLine().catch((error: unknown) => {
    const failure = toFailure(error)
    stderr += `${formatFailure(failure, terminal.isTerminal ? 'text' : 'json')}\n`
    return failure.exit
  })
  return { code, stdout, stderr }
}

function printsJson(
  settings: Readonly<Record<string, unknown>>,
  { isTerminal }: Pick<Terminal, 'isTerminal'>
): boolean {
  const { json, output = '', query = [], columns = [] } = settings
  const isWhole = [query, columns].every((list) => Array.isArray(list) && list.length === 0)
  return isWhole && 'json' in settings && (json === true || output === 'json' || (output === '' && !isTerminal))
}

/** Asserts that the schema of a hand-made command describes what it printed, member by member. */
async function assertMatchesSchema(name: string, stdout: string): Promise<void> {
  const { manifest } = await import('../../src/manifest/manifest.ts')
  const { withoutSchema } = await import('../../src/schemas/programSchemas.ts')
  const isOperation = manifest().some((one) => one.name === name)
  const printed = parseJson(stdout)
  if (isOperation || name in withoutSchema || printed === undefined) return
  const { outputSchema } = await import('../../src/schemas/outputSchema.ts')
  expect(outputSchema(name).parse(printed), `the schema of burgee ${name}`).toEqual(printed)
}
