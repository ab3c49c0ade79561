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
  try {
    return validate(schema, value)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    tell(path, error.message)
    return undefined
  }
}
