import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { collect } from '@burgee/contract/client'
import type { Variable } from '@burgee/contract/schemas'
import { hasCode, writeFileAtomic } from '@burgee/kit/files'
import { parseBoolean, parseText, UsageError } from '@burgee/kit/settings'
import { generateFlagsFile } from '../../codegen/generateFlagsFile.ts'
import type { Outcome } from '../../output/outcome.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import { exitCodes } from '../../run/failures/exitCodes.ts'
import { toFailure } from '../../run/failures/toFailure.ts'
import type { Session } from '../../run/session.ts'
import { projectSettings } from '../../run/settings.ts'
import { assertOnlyOne } from './codeSettings.ts'

/** `burgee types` */
export const types = apiCommand({
  name: 'types',
  summary: 'Generate TypeScript types of the variables of a project.',
  settings: {
    out: {
      variable: false,
      placeholder: 'file',
      help: 'File to write. If omitted, that of types.out in burgee.yaml, else standard output.',
      ignoresEmpty: true,
      parse: parseText
    },
    check: {
      kind: 'switch',
      variable: false,
      help: 'Write nothing. Exit with 1 if the file is out of date.',
      parse: parseBoolean
    },
    watch: {
      kind: 'switch',
      variable: false,
      help: 'Write the file again when variables change, until interrupted.',
      parse: parseBoolean
    },
    openfeature: {
      kind: 'switch',
      variable: false,
      help: 'Also declare the keys for OpenFeature clients. The name of the file must end in .d.ts.',
      parse: parseBoolean
    },
    obfuscate: {
      kind: 'switch',
      variable: false,
      help: 'Generate the keys of obfuscated client configs.',
      parse: parseBoolean
    },
    ...projectSettings
  },
  details: 'Example, in CI:\n  burgee types --out src/flags.ts --check\n\nMore: docs/guides/types.md',
  run: async ({ settings }, session) => {
    const { check, watch } = settings
    const usual = session.repository.types ?? {}
    const out = settings.out || usual.out || ''
    const openfeature = settings.openfeature || (usual.openfeature ?? false)
    const obfuscate = settings.obfuscate || (usual.obfuscate ?? false)
    assertOnlyOne({ '--check': check, '--watch': watch })
    if ((check || watch) && out === '') {
      throw new UsageError(`${check ? '--check' : '--watch'} requires --out, the file to ${check ? 'check' : 'write'}`)
    }
    if (openfeature && out !== '' && !out.endsWith('.d.ts')) {
      throw new UsageError(
        `with --openfeature, --out must end in .d.ts: TypeScript accepts these declarations in no other file; got ${out}`
      )
    }
    const flags = [...(openfeature ? [' --openfeature'] : []), ...(obfuscate ? [' --obfuscate'] : [])]
    const command = `burgee types --project ${session.project()}${flags.join('')}`
    const generate = async () =>
      generateFlagsFile(await listVariables(session), { command, openFeature: openfeature, obfuscate })
    if (out === '') {
      const text = await generate()
      // A program that reads standard output wants the file, and not JSON.
      session.terminal.write(text)
      return { data: undefined, text: () => '' }
    }
    if (watch) return watchVariables(session, out, generate)
    const text = await generate()
    // A check out of one work tree with other line ends, or of a file of `burgee-server types`, is not out of date.
    const isCurrent = withoutCommand(await readOutput(out)) === withoutCommand(text)
    if (check && !isCurrent) {
      return {
        data: { file: out, outcome: 'outdated' },
        text: () => `${out} is out of date. Run: ${command} --out ${out}`,
        exitCode: exitCodes.found
      }
    }
    // Writing an unchanged file would trigger its watchers.
    if (!isCurrent) await writeOutput(out, text)
    const outcome = isCurrent ? 'unchanged' : 'written'
    return { data: { file: out, outcome }, text: () => (isCurrent ? `${out} is up to date` : `wrote ${out}`) }
  }
})

/** How often `--watch` asks the server. */
const WATCH_MS = 2000

/** Writes the file whenever its content changes, until the process is interrupted. */
async function watchVariables(session: Session, out: string, generate: () => Promise<string>): Promise<Outcome> {
  for (;;) {
    try {
      const text = await generate()
      if (withoutCommand(await readOutput(out)) !== withoutCommand(text)) {
        await writeOutput(out, text)
        session.terminal.notice(`wrote ${out}`)
      }
    } catch (error) {
      const { exit, message } = toFailure(await session.explain(error))
      // Everything else needs a person.
      if (exit !== exitCodes.unavailable) throw error
      session.terminal.notice(`${message}; it will be retried`)
    }
    await setTimeout(WATCH_MS)
  }
}

async function listVariables({ client, project }: Session): Promise<readonly Variable[]> {
  return collect(client.listVariables, { params: { project: project() } })
}

/** Returns the text without its first line, which names the command that wrote it. */
function withoutCommand(text: string | undefined): string | undefined {
  return text?.replace(/^\/\/ Generated by: .*\n/, '')
}

/** Returns the text of a file with LF line ends, or `undefined` if it does not exist. */
async function readOutput(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).replaceAll('\r\n', '\n')
  } catch (cause) {
    if (hasCode(cause, 'ENOENT')) return undefined
    throw fileError(path, 'read', cause)
  }
}

async function writeOutput(path: string, text: string): Promise<void> {
  try {
    // The umask decides who can read it, as for other files of a project.
    await writeFileAtomic(path, text, { mode: 0o666 })
  } catch (cause) {
    throw fileError(path, 'written', cause)
  }
}

function fileError(path: string, verb: string, cause: unknown): UsageError {
  return new UsageError(`${path} cannot be ${verb}: ${cause instanceof Error ? cause.message : cause}`, { cause })
}
