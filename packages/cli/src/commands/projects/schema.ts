import type { Operation } from '@burgee/contract'
import { UsageError } from '@burgee/kit/settings'
import { suggestion } from '@burgee/kit/text'
import { manifest } from '../../operations/manifest.ts'
import { localCommand } from '../../run/localCommand.ts'

/** `burgee schema` */
export const schema = localCommand({
  name: 'schema',
  summary: 'Print the JSON Schema of project files, or of what the command of an operation prints.',
  arguments: ['[command...]'],
  settings: {},
  details: [
    'Without a command, or for project-file: the files of burgee plan, for editors. The',
    'package has it, too: node_modules/@burgee/cli/dist/project.schema.json.',
    '',
    'Examples:',
    '  burgee schema > burgee.schema.json',
    '  burgee schema features list'
  ].join('\n'),
  run: async ({ arguments: words }, { write }) => {
    const name = words.join(' ')
    const printed = name === '' || name === 'project-file' ? await fileSchema() : await responseSchema(name)
    write(`${JSON.stringify(printed, null, 2)}\n`)
    return { data: undefined, text: () => '' }
  }
})

async function fileSchema(): Promise<object> {
  const { projectSchema } = await import('../../document/jsonSchema.ts')
  return projectSchema()
}

/** Returns the JSON Schema of the result of an operation's command. @throws {UsageError} */
async function responseSchema(name: string): Promise<object> {
  const commands = manifest()
  const found = commands.find((one) => one.name === name)
  if (!found) {
    const names = commands.map((one) => one.name)
    throw new UsageError(
      `there is no operation with the command ${JSON.stringify(name)}${suggestion(name, names)}. Only commands of operations have a JSON Schema: burgee commands --query '[].name' lists all commands`
    )
  }
  // Loaded on demand, since the schemas take longer than the rest of the program.
  const { operations } = await import('@burgee/contract')
  const { z } = await import('zod')
  const records: Readonly<Record<string, Operation>> = operations
  const response = records[found.row.id]?.response
  if (!response) throw new UsageError(`burgee ${name} prints no result`)
  return z.toJSONSchema(response, { io: 'output', unrepresentable: 'any' })
}
