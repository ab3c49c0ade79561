import { type DescribedIssue, describeIssues, findNearest, formatOmitted, suggestProperty } from '@burgee/kit/text'
import type { z } from 'zod'
import type { ParseBody } from '../../../access/parseBody.ts'
import { badRequest } from '../../../lib/errors.ts'
import { BodyError } from './bodyError.ts'

type RequestPart = 'path' | 'query' | 'headers' | 'body'

/**
 * Parses a part of a request by its schema.
 * @throws {HttpError} 400 with one message per issue: the property, what is expected, and the value.
 */
export function parseRequestPart<S extends z.ZodType>(schema: S, value: unknown, part: RequestPart): z.output<S> {
  const result = validate(schema, value)
  if (result.success) return result.data
  const { issues, messages } = explain(result.error, { schema, value, part })
  const places = issues.map((issue) => ({ in: part, ...issue }))
  throw part === 'body' ? new BodyError('invalid', messages, places) : badRequest(messages, places)
}

/**
 * Asserts that no unknown parameter of a query is probably a misspelled one, such as `serach`: without the filter, the
 * operation would apply to more items than meant. Others are ignored, since published clients send some.
 * @throws {HttpError} 400
 */
export function assertNotMisspelled(schema: z.ZodType, names: readonly string[]): void {
  const known = 'shape' in schema ? Object.keys(schema.shape as object) : []
  const issues = names.flatMap((name): DescribedIssue[] => {
    const nearest = known.includes(name) ? undefined : findNearest(name, known, MISSPELLED_SHARE)
    if (nearest === undefined) return []
    return [{ path: [name], message: `property ${name} should not exist (did you mean "${nearest}"?)` }]
  })
  const places = issues.map((issue) => ({ in: 'query' as const, ...issue }))
  if (issues.length > 0)
    throw badRequest(
      issues.map(({ message }) => message),
      places
    )
}

/** The share of the characters of a parameter that differ if it is misspelled; more make another word. */
const MISSPELLED_SHARE = 0.3

/**
 * Like `parseRequestPart`, for a value that is not the body of the request itself: the paths of its issues are not
 * those of the request.
 */
export const parseInnerBody: ParseBody = (schema, value) => {
  const result = validate(schema, value)
  if (result.success) return result.data
  throw new BodyError('invalid', explain(result.error, { schema, value, part: 'body' }).messages)
}

/** Parses a value by its schema; undefined if it is invalid. */
export function parseValid<S extends z.ZodType>(schema: S, value: unknown): { readonly data: z.output<S> } | undefined {
  const result = schema.safeParse(value, STOP_EARLY)
  return result.success ? result : undefined
}

/**
 * Validates a value. Collecting issues takes far more time than validation, and blocks evaluations: of a large value,
 * only the issues of the first invalid item of a list or member of an object are collected.
 */
function validate<S extends z.ZodType>(schema: S, value: unknown): z.ZodSafeParseResult<z.output<S>> {
  const result = schema.safeParse(value, STOP_EARLY)
  if (result.success || isLarge(value)) return result
  return schema.safeParse(value)
}

/** An option of Zod that its public types do not have: validation ends at the first invalid item or member. */
const STOP_EARLY: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true }

function isLarge(value: unknown): boolean {
  return (JSON.stringify(value) ?? '').length > LARGE_LENGTH
}

/** The length of JSON, in characters, above which a value is large. */
const LARGE_LENGTH = 64 * 1024

interface Parsed {
  readonly schema: z.ZodType
  readonly value: unknown
  readonly part: RequestPart
}

/** Describes the issues of a part of a request with hints, each with its path, and as the messages of an error. */
function explain(error: z.ZodError, { schema, value, part }: Parsed) {
  const { issues: found, omitted } = describeIssues(error, value, part)
  const issues = found.map(({ path, message }): DescribedIssue => {
    return { path, message: `${message}${hint(message, schema, part)}` }
  })
  const messages = issues.map(({ message }) => message)
  return { issues, messages: omitted > 0 ? [...messages, formatOmitted(omitted)] : messages }
}

/** Returns a hint for an issue: the most similar property that exists, or the location of a missing parameter. */
function hint(issue: string, schema: z.ZodType, part: RequestPart): string {
  const location = locations[part]
  if (location && issue.endsWith(', got nothing')) return `: it is a ${location}`
  const suggestion = suggestProperty(issue, schema)
  if (part !== 'query' || suggestion || !issue.endsWith(' should not exist') || !('shape' in schema)) return suggestion
  return `: the query parameters are ${Object.keys(schema.shape as object).join(', ')}`
}

const locations: { readonly [P in RequestPart]?: string } = { query: 'query parameter', headers: 'header' }
