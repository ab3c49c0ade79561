import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseCommandLine } from '@burgee/kit/commandLine'
import type { Environment } from '@burgee/kit/settings'
import type { SignedIn } from '@burgee/sign-in'
import { addCleanup } from '@burgee/testing/cleanup'
import { type Ended, executableOf } from '@burgee/testing/vitest/executable'
import type { Terminal } from '../../src/commands/terminal.ts'
import { program } from '../../src/executable/program.ts'
import { reportFailure } from '../../src/executable/reportFailure.ts'
import { openSignIns } from '../../src/login/credentials.ts'

/** The built executable. */
export const executable = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

export const { start, run } = executableOf(executable)

/** A home directory with a credential file. */
export interface Home {
  readonly environment: { readonly XDG_CONFIG_HOME: string; readonly HOME: string }
  readonly directory: string
  readonly path: string
  /** Reads the entry of a server. */
  readonly entry: (apiUrl: string) => Promise<SignedIn>
}

/** Creates an empty home directory. */
export async function makeHome(): Promise<Home> {
  const home = await mkdtemp(join(tmpdir(), 'burgee-home-'))
  addCleanup(() => rm(home, { recursive: true, force: true }))
  const directory = join(home, 'config', 'burgee')
  const path = join(directory, 'mcp.json')
  return {
    environment: { XDG_CONFIG_HOME: join(home, 'config'), HOME: home },
    directory,
    path,
    entry: async (apiUrl) => JSON.parse(await readFile(path, 'utf8')).servers[apiUrl]
  }
}

/** Runs a command in this process, where tests can answer prompts and use a browser. */
export async function runHere(
  args: readonly string[],
  environment: Environment,
  person: Partial<Pick<Terminal, 'ask' | 'open'>> = {}
): Promise<Ended> {
  let [stdout, stderr] = ['', '']
  const toError = (text: string) => {
    stderr += text
  }
  const terminal: Terminal = {
    print: (line) => {
      stdout += `${line}\n`
    },
    notice: (line) => toError(`burgee-mcp: ${line}\n`),
    ask: undefined,
    open: async () => {},
    hostname: 'test-computer',
    file: openSignIns(environment, process.platform),
    now: Date.now,
    ...person
  }
  const runLine = async () => {
    const line = parseCommandLine(program, args, environment)
    return line.type === 'run' ? line.run(terminal) : 0
  }
  const code = await runLine().catch((error: unknown) => reportFailure(error, toError))
  return { code, stdout, stderr }
}
