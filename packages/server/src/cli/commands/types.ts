import { readFile } from 'node:fs/promises'
import { type Client, paginate } from '@burgee/contract/client'
import { Variable } from '@burgee/contract/schemas'
import { writeFileAtomic } from '@burgee/kit/files'
import { parseBoolean, parseText, UsageError } from '@burgee/kit/settings'
import { reasonOf } from '../../lib/reasonOf.ts'
import { generateFlagsFile } from '../codegen/generateFlagsFile.ts'
import { serverCommand } from '../kinds/serverCommand.ts'

/** `burgee-server types` */
export const typesCommand = serverCommand({
  name: 'types',
  summary: 'Generate TypeScript types of the variables of a project on a running server.',
  settings: {
    out: {
      variable: false,
      placeholder: 'file',
      help: 'File to write; standard output if omitted.',
      ignoresEmpty: true,
      parse: parseText
    },
    check: {
      kind: 'switch',
      variable: false,
      help: 'Write nothing. Exit with 1 if the file is out of date.',
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
    }
  },
  run: async ({ settings: { out, check, openfeature, obfuscate } }, { client, project, print }) => {
    if (check && out === '') throw new UsageError('--check requires --out, the file to check')
    if (openfeature && out !== '' && !out.endsWith('.d.ts')) {
      throw new UsageError(
        `with --openfeature, --out must end in .d.ts: TypeScript accepts these declarations in no other file; got ${out}`
      )
    }
    const flags = [...(openfeature ? [' --openfeature'] : []), ...(obfuscate ? [' --obfuscate'] : [])]
    const command = `burgee-server types --project ${project}${flags.join('')}`
    const variables = await listVariables(client, project)
    const text = generateFlagsFile(variables, { command, openFeature: openfeature, obfuscate })
    if (out === '') {
      print(text.trimEnd())
      return 0
    }
    const isCurrent = (await readOutput(out)) === text
    if (check && !isCurrent) {
      print(`${out} is out of date. Run: ${command} --out ${out}`)
      return 1
    }
    // Writing an unchanged file would trigger its watchers.
    if (!isCurrent) await writeOutput(out, text)
    print(isCurrent ? `${out} is up to date` : `wrote ${out}`)
    return 0
  }
})

async function listVariables(client: Client, project: string): Promise<readonly Variable[]> {
  // Validates the response: the URL may belong to another program.
  const list: Client['listVariables'] = async (request) => Variable.array().parse(await client.listVariables(request))
  const variables: Variable[] = []
  for await (const variable of paginate(list, { params: { project } })) variables.push(variable)
  return variables
}

/** Returns the text of a file with LF line ends, or `undefined` if it does not exist. */
async function readOutput(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).replaceAll('\r\n', '\n')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
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
  return new UsageError(`${path} cannot be ${verb}: ${reasonOf(cause)}`, {
    cause
  })
}
