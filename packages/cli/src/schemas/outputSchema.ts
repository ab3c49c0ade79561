import { UsageError } from '@burgee/kit/settings'
import { suggestion } from '@burgee/kit/text'
import type { z } from 'zod'
import { manifest } from '../manifest/manifest.ts'
import { codeSchemas } from './codeSchemas.ts'
import { flagSchemas } from './flagSchemas.ts'
import { programSchemas, responseSchema, withoutSchema } from './programSchemas.ts'

const schemas: Readonly<Record<string, z.ZodType>> = { ...flagSchemas, ...codeSchemas, ...programSchemas }

/** Returns the schema of the JSON that a command prints. @throws {UsageError} if there is none. */
export function outputSchema(name: string): z.ZodType {
  const operation = manifest().find((one) => one.name === name)
  const found = schemas[name] ?? (operation && responseSchema(operation.row.id))
  if (found) return found
  const reason = operation ? 'prints no result' : withoutSchema[name]
  if (reason !== undefined) throw new UsageError(`burgee ${name} ${reason}`)
  const names = [...manifest().map((one) => one.name), ...Object.keys(schemas)]
  throw new UsageError(
    `there is no command ${JSON.stringify(name)}${suggestion(name, names)}: burgee commands --query '[].name' lists all commands`
  )
}
