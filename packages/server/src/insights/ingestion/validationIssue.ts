import type { Operation } from '@burgee/contract'
import { formatValue } from '@burgee/kit/text'
import type { ParseBody } from '../../access/parseBody.ts'
import { HttpError } from '../../lib/errors.ts'
import { MAX_JSON_DEPTH, validateStorableJson } from '../../storage/validateStorableJson.ts'

/** A position in a request body: property names and indexes. */
export type BodyPath = readonly (string | number)[]

/**
 * A problem with a part of a request body. The message begins with a property of the value at `path`, or describes all
 * of it.
 */
export interface ValidationIssue {
  readonly path: BodyPath
  readonly message: string
}

/**
 * Records an issue. Responses contain only the first issues, so `message` is a function that is not called for the
 * others.
 */
export type ReportIssue = (path: BodyPath, message: () => string) => void

/** Formats a path: `batch[0].events[2]`. */
export function formatBodyPath(path: BodyPath): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('')
}

/** A schema of the contract. */
export type BodySchema = NonNullable<Operation['body']>

interface ParseOptions {
  readonly path: BodyPath
  readonly validate: ParseBody
  readonly report: ReportIssue
}

/** Parses a value by a schema of the contract. Reports an issue and returns `undefined` if it is invalid. */
export function parseOrReport<S extends BodySchema>(
  schema: S,
  value: unknown,
  { path, validate, report }: ParseOptions
): S['_output'] | undefined {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  // Formatting the message is about a hundred times as expensive as the check.
  report(path, () => formatRefusal(schema, value, validate))
  return undefined
}

function formatRefusal(schema: BodySchema, value: unknown, validate: ParseBody): string {
  try {
    validate(schema, value)
  } catch (error) {
    if (error instanceof HttpError) return error.message
    throw error
  }
  throw new Error('validation accepted a value that the schema refused')
}

/**
 * Returns what is wrong with a value that is too deep, too large or not storable, so that no schema has to traverse it;
 * `undefined` if it is fine. `name` is its name in the message.
 */
export function validateShape(value: unknown, name: string): string | undefined {
  const { excess } = measure(value)
  switch (excess) {
    case 'depth':
      return `${name} should nest at most ${MAX_JSON_DEPTH} levels deep`
    case 'values':
      return `${name} should have at most ${MAX_VALUES} values`
    case undefined:
      return validateStorableJson(value, name)
  }
}

/** Formats a value of any depth and size for a message. */
export function formatUntrusted(value: unknown): string {
  const { excess } = measure(value)
  switch (excess) {
    case 'depth':
      return 'a value that is nested too deeply'
    case 'values':
      return 'a value that is too large'
    case undefined:
      return formatValue(value)
  }
}

interface Size {
  /** The number of nested values. */
  count: number
  /** Which limit the value exceeds. */
  excess: 'depth' | 'values' | undefined
}

/** Traverses a value and stops at the first limit that it exceeds. */
function measure(value: unknown): Size {
  const size: Size = { count: 0, excess: undefined }
  addTo(size, value, 1)
  return size
}

function addTo(size: Size, value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null || size.excess) return
  const children: unknown[] = Array.isArray(value) ? value : Object.values(value)
  size.count += children.length
  if (depth > MAX_JSON_DEPTH) size.excess = 'depth'
  else if (size.count > MAX_VALUES) size.excess = 'values'
  else for (const child of children) if (typeof child === 'object') addTo(size, child, depth + 1)
}

/** More than the largest `metaData` and `featureVars` of an event have. */
const MAX_VALUES = 30_000
