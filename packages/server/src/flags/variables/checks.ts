import type { ValidationSchema } from '@burgee/contract/schemas'
import type { Edit } from '../../access/audit/edit.ts'
import { badRequest, type HttpError } from '../../lib/errors.ts'
import type { StoredVariable } from '../../storage/resources/feature.ts'
import { createSchemaCheckBudget, createValueCheckBudget, SCHEMA_CHECK_MS, VALUE_CHECK_MS } from './timeBudget.ts'
import { validateVariableSchema, validateVariableValues } from './validation.ts'

/** A validation schema and the type of its variable. */
export interface SchemaCheck {
  readonly type: StoredVariable['type']
  readonly validationSchema: ValidationSchema
}

/** Values of a variable. A value that is missing has no member. */
export interface ValueCheckInput {
  readonly variable: Pick<StoredVariable, 'key' | 'type' | 'validationSchema'>
  readonly values: readonly { readonly value?: unknown }[]
}

/**
 * Checks validation schemas: in the sandbox if they are programs, which patterns and JSON Schemas are. Returns the
 * issues of each.
 * @throws {HttpError} 400 when that takes too much time or memory.
 */
export function checkSchemas(checks: readonly SchemaCheck[], compute: Edit['compute']): readonly (readonly string[])[] {
  const input = checks.filter(({ validationSchema }) => isProgram(validationSchema))
  const task = { name: 'checkSchemas', what: 'compiling validation schemas', input, limitMs: SCHEMA_CHECK_MS }
  // `checkFunctions` returns this.
  const results = input.length > 0 ? (compute(task) as readonly (readonly string[])[]) : []
  const found = new Map(input.map((check, index) => [check, results[index] ?? []]))
  return checks.map((check) => {
    return found.get(check) ?? validateVariableSchema(check.type, check.validationSchema, createSchemaCheckBudget())
  })
}

/**
 * Checks values of variables: in the sandbox if their schemas are programs. Returns the issue of each value.
 * @throws {HttpError} 400 when that takes too much time or memory.
 */
export function checkValues(
  checks: readonly ValueCheckInput[],
  compute: Edit['compute']
): readonly (readonly (string | undefined)[])[] {
  const programs = checks.filter(({ variable, values }) => values.length > 0 && isProgram(variable.validationSchema))
  const found = new Map<ValueCheckInput, readonly (string | undefined)[]>()
  if (programs.length > 0) {
    const input = programs.map(({ variable: { key, type, validationSchema }, values }) => {
      return { variable: { key, type, validationSchema }, values }
    })
    const task = { name: 'checkValues', what: 'checking values by their validation schemas', input }
    // `checkFunctions` returns this.
    const results = compute({ ...task, limitMs: VALUE_CHECK_MS }) as readonly (readonly (string | null)[])[]
    for (const [index, check] of programs.entries()) {
      found.set(check, results[index]?.map((issue) => issue ?? undefined) ?? [])
    }
  }
  return checks.map((check) => found.get(check) ?? checkInProcess(check))
}

function isProgram(schema: ValidationSchema | undefined): boolean {
  return schema !== undefined && schema.schemaType !== 'enum'
}

function checkInProcess({ variable, values }: ValueCheckInput): readonly (string | undefined)[] {
  return validateVariableValues(
    variable,
    values.map(({ value }) => value),
    createValueCheckBudget()
  )
}

/** Returns the error of issues, which names the first of many. */
export function invalidValues(issues: readonly string[]): HttpError {
  const more = issues.length - MAX_LISTED_ISSUES
  return badRequest(more > 0 ? [...issues.slice(0, MAX_LISTED_ISSUES), `and ${more} more issues`] : issues)
}

/** How many issues a message names. */
const MAX_LISTED_ISSUES = 50
