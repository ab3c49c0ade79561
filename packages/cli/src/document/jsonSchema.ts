import { z } from 'zod'
import { ProjectFile } from './fileSchema.ts'

/** Returns the JSON Schema of files that describe a project. */
export function projectSchema(): object {
  return z.toJSONSchema(ProjectFile, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Examples of the API have ids, where files have keys.
      delete jsonSchema.example
    }
  })
}
