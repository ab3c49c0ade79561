import type { ValidationSchema } from '@burgee/contract/schemas'
import type { VariableType } from '@burgee/core'
import { formatValue } from '@burgee/kit/text'
import type { StoredVariable } from '../../storage/resources.ts'
import { compileJsonSchema } from './jsonSchema.ts'
import { memoizeLru } from './memoizeLru.ts'
import type { CompiledCheck, ValueCheck } from './pattern.ts'
import { compilePattern } from './pattern.ts'
import type { TimeBudget } from './timeBudget.ts'

/** How many patterns, and how many JSON Schemas, stay compiled. */
const MAX_COMPILED = 200
/** The most values of an enum that a message names. */
const MAX_LISTED_VALUES = 10

/**
 * The mistake of each value that a variable is to have, in words; undefined for those that it can have.
 * @throws {ApiError} 400 when it takes too long to tell.
 */
export function validateVariableValues(
  variable: Pick<StoredVariable, 'key' | 'type' | 'validationSchema'>,
  values: readonly unknown[],
  budget: TimeBudget
): readonly (string | undefined)[] {
  const name = `variable "${variable.key}"`
  const mistakes = issuesOfValues(variable, values, { name, budget })
  return mistakes.map((mistake) => (mistake === undefined ? undefined : `${name} ${mistake}`))
}

/** The mistakes of a validation schema for variables of a type, in words. @throws {ApiError} 400 when it takes too long to tell. */
export function validateVariableSchema(
  type: VariableType,
  schema: ValidationSchema,
  budget: TimeBudget
): readonly string[] {
  const mistakes = issuesOfRules(type, schema, budget)
  if (mistakes.length > 0) return mistakes.map((mistake) => `validationSchema.${mistake}`)
  const name = 'validationSchema.exampleValue'
  const [mistake] = issuesOfValues({ type, validationSchema: schema }, [schema.exampleValue], { name, budget })
  return mistake === undefined ? [] : [`${name} ${mistake}`]
}

/** Whether a value is of a variable's type. Values of type JSON are objects. */
function isOfType(type: VariableType, value: unknown): boolean {
  switch (type) {
    case 'String':
      return typeof value === 'string'
    case 'Boolean':
      return typeof value === 'boolean'
    case 'Number':
      return Number.isFinite(value)
    case 'JSON':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
  }
}

/** What is wrong with each value, said so that a sentence about it can begin with its name. */
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
  const expectation = isOfType(type, value) ? check(value) : `should be ${typeDescriptions[type]}`
  return expectation === undefined ? undefined : `${expectation}, got ${formatValue(value)}`
}

const typeDescriptions: Readonly<Record<VariableType, string>> = {
  String: 'a text',
  Boolean: 'a boolean',
  Number: 'a number',
  JSON: 'a JSON object'
}

function enumCheck(choices: readonly unknown[]): ValueCheck {
  const known = new Set(choices)
  const more = choices.length > MAX_LISTED_VALUES ? ` and ${choices.length - MAX_LISTED_VALUES} more` : ''
  const expectation = `should be one of ${choices.slice(0, MAX_LISTED_VALUES).map(formatValue).join(', ')}${more}`
  return (value) => (known.has(value) ? undefined : expectation)
}

/** A schema that was kept although it does not compile asks nothing of values: `mistakesOfSchema` tells. */
function checkOf(schema: CompiledSchema, budget: TimeBudget): ValueCheck {
  const compiled = compile(schema, budget)
  return 'check' in compiled ? compiled.check : () => undefined
}

/** What is wrong with the schema itself, but for its example. */
function issuesOfRules(type: VariableType, schema: ValidationSchema, budget: TimeBudget): string[] {
  const types = typesBySchemaType[schema.schemaType]
  if (!types.includes(type)) {
    return [`schemaType ${schema.schemaType} is for variables of type ${types.join(' and ')}, got type ${type}`]
  }
  if (schema.schemaType === 'enum') {
    const stranger = schema.enumValues.find((value) => !isOfType(type, value))
    return stranger === undefined ? [] : [`enumValues should be of type ${type}, got ${formatValue(stranger)}`]
  }
  const compiled = compile(schema, budget)
  return 'mistake' in compiled ? [compiled.mistake] : []
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
