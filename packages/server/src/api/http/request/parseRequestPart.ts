import { formatIssues, suggestProperty } from '@burgee/kit/text'
import type { z } from 'zod'
import { badRequest } from '../../../lib/errors.ts'
import { BodyError } from './bodyError.ts'

type RequestPart = 'path' | 'query' | 'headers' | 'body'

/**
 * Parses a part of a request by its schema.
 * @throws {HttpError} 400 with one message per issue: the property, what is expected, and the value.
 */
export function parseRequestPart<S extends z.ZodType>(schema: S, value: unknown, part: RequestPart): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues = formatIssues(result.error, value, part).map((issue) => `${issue}${hint(issue, schema, part)}`)
  throw part === 'body' ? new BodyError('invalid', issues) : badRequest(issues)
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
