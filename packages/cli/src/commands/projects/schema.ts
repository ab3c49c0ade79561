import { localCommand } from '../../run/localCommand.ts'

/** `burgee schema` */
export const schema = localCommand({
  name: 'schema',
  summary: 'Print the JSON Schema of project files, or of the JSON that a command prints.',
  arguments: ['[command...]'],
  settings: {},
  details: [
    'Without a command, or for project-file: the files of burgee plan, for editors. The',
    'package has it, too: node_modules/@burgee/cli/dist/project.schema.json.',
    '',
    'Examples:',
    '  burgee schema > burgee.schema.json',
    '  burgee schema flags list'
  ].join('\n'),
  run: async ({ arguments: words }, { write }) => {
    const name = words.join(' ')
    const printed = name === '' || name === 'project-file' ? await fileSchema() : await resultSchema(name)
    write(`${JSON.stringify(printed, null, 2)}\n`)
    return { data: undefined, text: () => '' }
  }
})

async function fileSchema(): Promise<object> {
  const { projectSchema } = await import('../../document/jsonSchema.ts')
  return projectSchema()
}

/** Returns the JSON Schema of what a command prints. @throws {UsageError} */
async function resultSchema(name: string): Promise<object> {
  // Loaded on demand, since the schemas take longer than the rest of the program.
  const { outputSchema } = await import('../../schemas/outputSchema.ts')
  const { z } = await import('zod')
  return z.toJSONSchema(outputSchema(name), { io: 'output', unrepresentable: 'any' })
}
