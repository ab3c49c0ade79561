import type { Operation } from '@burgee/contract'
import { ApiError } from '../errors.ts'
import type { Validate } from '../validate.ts'
import type { Path, Tell } from './mistake.ts'

/** A schema of the contract. */
export type Schema = NonNullable<Operation['body']>

interface Place {
  readonly path: Path
  readonly validate: Validate
  readonly tell: Tell
}

/** A value by a schema of the contract; undefined, and told why, when it does not fit. */
export function check<S extends Schema>(
  schema: S,
  value: unknown,
  { path, validate, tell }: Place
): S['_output'] | undefined {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  // To find words costs a hundred times as much as to find out.
  tell(path, () => refusalOf(schema, value, validate))
  return undefined
}

function refusalOf(schema: Schema, value: unknown, validate: Validate): string {
  try {
    validate(schema, value)
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
  throw new Error('a value that was refused is valid')
}
