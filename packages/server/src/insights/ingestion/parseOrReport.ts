import type { Operation } from '@burgee/contract'
import type { ParseBody } from '../../access/parseBody.ts'
import { ApiError } from '../../lib/errors.ts'
import type { BodyPath, ReportIssue } from './validationIssue.ts'

/** A schema of the contract. */
export type BodySchema = NonNullable<Operation['body']>

interface ParseContext {
  readonly path: BodyPath
  readonly validate: ParseBody
  readonly report: ReportIssue
}

/** A value by a schema of the contract; undefined, and told why, when it does not fit. */
export function parseOrReport<S extends BodySchema>(
  schema: S,
  value: unknown,
  { path, validate, report }: ParseContext
): S['_output'] | undefined {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  // To find words costs a hundred times as much as to find out.
  report(path, () => describeRefusal(schema, value, validate))
  return undefined
}

function describeRefusal(schema: BodySchema, value: unknown, validate: ParseBody): string {
  try {
    validate(schema, value)
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
  throw new Error('a value that was refused is valid')
}
