import { isOfType, valueDescriptions } from '@burgee/contract/rules'
import type { ValidationSchema } from '@burgee/contract/schemas'
import type { VariableType } from '@burgee/core'
import { formatChoices, formatValue } from '@burgee/kit/text'
import type { StoredVariable } from '../../storage/resources/feature.ts'
import { compileJsonSchema } from './jsonSchema.ts'
import { memoizeLru } from './memoizeLru.ts'
import { type CompiledCheck, compilePattern, type ValueCheck } from './pattern.ts'
import type { TimeBudget } from './timeBudget.ts'

/** How many compiled patterns, and JSON Schemas, are cached. */
const MAX_COMPILED = 200

/**
 * Validates values of a variable. Returns the issue of each, or undefined for a valid one.
 * @throws {HttpError} 400 when checking takes too long.
 */
export function validateVariableValues(
  variable: Pick<StoredVariable, 'key' | 'type' | 'validationSchema'>,
  values: readonly unknown[],
  budget: TimeBudget
): readonly (string | undefined)[] {
  const name = `variable "${variable.key}"`
  const issues = issuesOfValues(variable, values, { name, budget })
  return issues.map((issue) => (issue === undefined ? undefined : `${name} ${issue}`))
}

/** Validates a validation schema for variables of a type. @throws {HttpError} 400 when checking takes too long. */
export function validateVariableSchema(
  type: VariableType,
  schema: ValidationSchema,
  budget: TimeBudget
): readonly string[] {
  const issues = issuesOfRules(type, schema, budget)
  if (issues.length > 0) return issues.map((issue) => `validationSchema.${issue}`)
  const name = 'validationSchema.exampleValue'
  const [issue] = issuesOfValues({ type, validationSchema: schema }, [schema.exampleValue], { name, budget })
  return issue === undefined ? [] : [`${name} ${issue}`]
}

/** Returns the issue of each value, to follow its name in a message. */
function issuesOfValues(
  { type, validationSchema: schema }: Pick<StoredVariable, 'type' | 'validationSchema'>,
  values: readonly unknown[],
  { name, budget }: { readonly name: string; readonly budget: TimeBudget }
): readonly (string | undefined)[] {
  const all = (check: ValueCheck) => values.map((value) => issueOfValue(type, check, value))
  if (!schema) return all(() => undefined)
  if (schema.schemaType === 'enum') return all(enumCheck(schema.enumValues))
  const check = checkOf(schema, budget)
  return budget.run(`checking ${name}`, () => all(check))
}

function issueOfValue(type: VariableType, check: ValueCheck, value: unknown): string | undefined {
  const expectation = isOfType(type, value) ? check(value) : `should be ${valueDescriptions[type]}`
  return expectation === undefined ? undefined : `${expectation}, got ${formatValue(value)}`
}

function enumCheck(choices: readonly unknown[]): ValueCheck {
  const known = new Set(choices)
  const expectation = formatChoices(choices)
  return (value) => (known.has(value) ? undefined : expectation)
}

/** A stored schema that does not compile accepts every value; `validateVariableSchema` reports it. */
function checkOf(schema: CompiledSchema, budget: TimeBudget): ValueCheck {
  const compiled = compile(schema, budget)
  return 'check' in compiled ? compiled.check : () => undefined
}

/** Returns the issues of a schema, except those of its example. */
function issuesOfRules(type: VariableType, schema: ValidationSchema, budget: TimeBudget): string[] {
  const types = typesBySchemaType[schema.schemaType]
  if (!types.includes(type)) {
    return [`schemaType ${schema.schemaType} supports variables of type ${types.join(' and ')}, got type ${type}`]
  }
  if (schema.schemaType === 'enum') {
    const invalidValue = schema.enumValues.find((value) => !isOfType(type, value))
    return invalidValue === undefined ? [] : [`enumValues should be of type ${type}, got ${formatValue(invalidValue)}`]
  }
  const compiled = compile(schema, budget)
  return 'issue' in compiled ? [compiled.issue] : []
}

const typesBySchemaType: { readonly [T in ValidationSchema['schemaType']]: readonly VariableType[] } = {
  enum: ['String', 'Number'],
  regex: ['String'],
  jsonSchema: ['JSON']
}

type CompiledSchema = Exclude<ValidationSchema, { readonly schemaType: 'enum' }>

function compile(schema: CompiledSchema, budget: TimeBudget): CompiledCheck {
  return schema.schemaType === 'regex' ? patterns(schema.regexPattern, budget) : jsonSchemas(schema.jsonSchema, budget)
}

const patterns = memoizeLru(MAX_COMPILED, compilePattern)
const jsonSchemas = memoizeLru(MAX_COMPILED, compileJsonSchema)
