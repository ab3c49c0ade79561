import { localCommand } from '../../run/localCommand.ts'

/** `burgee schema` */
export const schema = localCommand({
  name: 'schema',
  summary: 'Print the JSON Schema of the files of burgee plan, for editors.',
  settings: {},
  details:
    'The package has it, too: node_modules/@burgee/cli/dist/project.schema.json.\n\nExample:\n  burgee schema > burgee.schema.json',
  run: async (_given, { write }) => {
    const { projectSchema } = await import('../../document/jsonSchema.ts')
    write(`${JSON.stringify(projectSchema(), null, 2)}\n`)
    return { data: undefined, text: () => '' }
  }
})
