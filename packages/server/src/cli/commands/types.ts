import { readFile } from 'node:fs/promises'
import { type Client, paginate } from '@burgee/contract/client'
import { Variable } from '@burgee/contract/schemas'
import { writeFileAtomic } from '../../storage/disk/writeFileAtomic.ts'
import { generateFlagsFile } from '../codegen/generateFlagsFile.ts'
import { CommandError, type ParsedArguments, type ServerCommand } from '../kit/command.ts'
import { assertNoArguments, findTextOption } from '../kit/commandArguments.ts'
import { formatRemoteHelp, remoteFlags } from '../kit/options.ts'

/** The command that writes the TypeScript types of a project's variables. */
export const typesCommand: ServerCommand = {
  name: 'types',
  usage: '--project <project> [--out <file>] [--check] [--openfeature] [--obfuscate]',
  summary: 'Write the TypeScript types of the variables of a project, as a running server has them.',
  details: [
    '  --out <file>\n      Where to write them; standard output otherwise.',
    '  --check\n      Only say whether the file is up to date, and end with 1 when it is not.',
    '  --openfeature\n      Also declare the keys for the clients of OpenFeature, in a file whose name ends in .d.ts.',
    '  --obfuscate\n      Write the keys that obfuscated client configs have.',
    ...formatRemoteHelp()
  ],
  flags: {
    ...remoteFlags,
    out: { type: 'string' },
    check: { type: 'boolean' },
    openfeature: { type: 'boolean' },
    obfuscate: { type: 'boolean' }
  },
  opens: 'server',
  run: async ({ client, project, print }, given) => {
    assertNoArguments(given)
    const { out, check, openFeature, obfuscate } = parseTypesOptions(given)
    const flags = [...(openFeature ? [' --openfeature'] : []), ...(obfuscate ? [' --obfuscate'] : [])]
    const command = `burgee-server types --project ${project}${flags.join('')}`
    const text = generateFlagsFile(await listVariables(client, project), { command, openFeature, obfuscate })
    if (out === undefined) {
      print(text.trimEnd())
      return 0
    }
    const isCurrent = (await readOutput(out)) === text
    if (check && !isCurrent) {
      print(`${out} is out of date. Run: ${command} --out ${out}`)
      return 1
    }
    // A file that stays as it is does not make its watchers run.
    if (!isCurrent) await writeOutput(out, text)
    print(isCurrent ? `${out} is up to date` : `wrote ${out}`)
    return 0
  }
}

/** What the flags ask for. */
function parseTypesOptions(given: ParsedArguments) {
  const out = findTextOption(given, 'out')
  const { check = false, openfeature = false, obfuscate = false } = given.flags
  if (check && !out) throw new CommandError('--check takes the file that is to be checked: give --out')
  if (openfeature && out !== undefined && !out.endsWith('.d.ts')) {
    throw new CommandError(
      `with --openfeature, --out should end in .d.ts, the only files in which TypeScript takes such declarations; got ${out}`
    )
  }
  return { out, check: check === true, openFeature: openfeature === true, obfuscate: obfuscate === true }
}

async function listVariables(client: Client, project: string): Promise<readonly Variable[]> {
  // Whatever is at the address may answer with anything.
  const list: Client['listVariables'] = async (request) => Variable.array().parse(await client.listVariables(request))
  const variables: Variable[] = []
  for await (const variable of paginate(list, { params: { project } })) variables.push(variable)
  return variables
}

/** What a file says, with the line ends that are written here; nothing when there is none. */
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
    // As other files of a project: who may read it is for the umask to say.
    await writeFileAtomic(path, text, 0o666)
  } catch (cause) {
    throw fileError(path, 'written', cause)
  }
}

function fileError(path: string, verb: string, cause: unknown): CommandError {
  return new CommandError(`${path} cannot be ${verb}: ${cause instanceof Error ? cause.message : String(cause)}`, {
    cause
  })
}
