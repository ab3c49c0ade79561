import { formatIssues } from '@burgee/kit/text'
import type { z } from 'zod'
import { badRequest } from '../../../lib/errors.ts'

/**
 * Parses a part of a request by its schema.
 * @throws {ApiError} 400 with every mistake: which member, what it should be, what it is.
 */
export function parseRequestPart<S extends z.ZodType>(
  schema: S,
  value: unknown,
  place: 'path' | 'query' | 'headers' | 'body'
): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw badRequest(formatIssues(result.error, value, place), place === 'body' ? 'invalid_body' : 'invalid_request')
}
