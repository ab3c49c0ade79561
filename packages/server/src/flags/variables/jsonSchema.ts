import { createRequire } from 'node:module'
import { isRecord } from '@burgee/kit'
import { formatValue } from '@burgee/kit/text'
import type { Ajv, Options, ValidateFunction } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { type CompiledCheck, formatRegExpError, linearTimeRegExp, type ValueCheck } from './pattern.ts'
import type { TimeBudget } from './timeBudget.ts'

/**
 * Compiles the check that a value fits a JSON Schema: draft 2020-12, or draft-07 where `$schema` names it. `format` is
 * an annotation and not checked; unknown keywords are ignored.
 */
export function compileJsonSchema(text: string, budget: TimeBudget): CompiledCheck {
  const schema = parse(text)
  if (!schema) return invalidSchema(`be the JSON text of an object, got ${formatValue(text)}`)
  const draft = findDraft(schema)
  if (!draft) return invalidSchema(`be of draft 2020-12 or draft-07, got $schema ${formatValue(schema.$schema)}`)
  // A keyword of Ajv that makes validation asynchronous.
  if ('$async' in schema) return invalidSchema('not have the member $async')
  return (
    validateAgainstMetaSchema(schema, draft) ??
    budget.run('compiling a JSON Schema', () => compileSchema(schema, draft))
  )
}

/** Returns the issue of a text that is not a JSON Schema. */
function validateAgainstMetaSchema(schema: object, draft: Draft): CompiledCheck | undefined {
  try {
    return draft.isSchema(schema) ? undefined : invalidSchema(`be a JSON Schema: ${draft.issues()}`)
  } catch (error) {
    return invalidSchema(describeCompileError(error))
  }
}

function compileSchema(schema: object, draft: Draft): CompiledCheck {
  try {
    // Each schema has its own compiler, so that an `$id` is not visible to the next one.
    return { check: toValueCheck(draft.compile(schema)) }
  } catch (error) {
    return invalidSchema(describeCompileError(error))
  }
}

interface Draft {
  readonly isSchema: (schema: object) => boolean
  readonly issues: () => string
  readonly compile: (schema: object) => ValidateFunction
}

function invalidSchema(expectation: string): CompiledCheck {
  return { issue: `jsonSchema should ${expectation}` }
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const options: Options = {
  strict: false,
  validateFormats: false,
  ownProperties: true,
  logger: false,
  // Ajv caches patterns by their text.
  code: {
    regExp: Object.assign((pattern: string) => ({ ...linearTimeRegExp(pattern), toString: () => pattern }), {
      code: 'linearPattern'
    })
  }
}
/** For compilation: the meta-schema was validated before, and references may point into the schema only. */
const bare: Options = { ...options, meta: false, validateSchema: false }

/** Loads Ajv with the first JSON Schema: most servers have none and start sooner without it. */
const load = createRequire(import.meta.url)

const drafts = {
  '2020-12': createDraft((given) => {
    const ajv: typeof import('ajv/dist/2020.js') = load('ajv/dist/2020.js')
    return new ajv.Ajv2020(given)
  }),
  '07': createDraft((given) => {
    const ajv: typeof import('ajv') = load('ajv')
    return new ajv.Ajv(given)
  })
} as const

function findDraft({ $schema }: Readonly<Record<string, unknown>>): Draft | undefined {
  if ($schema === undefined || $schema === 'https://json-schema.org/draft/2020-12/schema') return drafts['2020-12']
  return typeof $schema === 'string' && /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/.test($schema)
    ? drafts['07']
    : undefined
}

/** Compiles the meta-schema on first use, since that is slow. */
function createDraft(create: (options: Options) => Ajv | Ajv2020): Draft {
  let meta: Ajv | Ajv2020 | undefined
  return {
    isSchema: (schema) => {
      meta ??= create(options)
      // Meta-schemas of these drafts are not asynchronous.
      return meta.validateSchema(schema) === true
    },
    issues: () => formatAjvErrors(meta?.errors),
    compile: (schema) => create(bare).compile(schema)
  }
}

function toValueCheck(validate: ValidateFunction): ValueCheck {
  return (value) => {
    try {
      return validate(value) ? undefined : `should fit its JSON Schema: ${formatAjvErrors(validate.errors)}`
    } catch (error) {
      if (error instanceof RangeError) return 'should fit its JSON Schema: its references recurse endlessly'
      throw error
    }
  }
}

function formatAjvErrors(errors: ValidateFunction['errors']): string {
  const [error] = errors ?? []
  return truncate(`${error?.instancePath || 'it'} ${error?.message ?? 'is not valid'}`)
}

/** Paths and messages quote the schema and the value. */
function truncate(text: string): string {
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text
}

const MAX_MESSAGE = 300

function describeCompileError(error: unknown): string {
  if (error instanceof Error && 'missingRef' in error) {
    return `refer only to its own parts, such as "#/$defs/name", got $ref ${formatValue(error.missingRef)}`
  }
  if (error instanceof RangeError) return 'be nested less deeply'
  return `compile: ${truncate(formatRegExpError(error))}`
}
