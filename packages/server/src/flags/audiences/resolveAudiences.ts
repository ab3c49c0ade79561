import type { Operator } from '@burgee/core'
import { formatValue } from '@burgee/kit/text'
import { badRequest } from '../../lib/errors.ts'
import { mapAudienceReferences } from './audienceReferences.ts'

/**
 * Filters with each audience under its id. `path` is where the filters stand in the request.
 * @throws {ApiError} 400 that names every reference to an audience that is not there.
 */
export function resolveAudiences(
  filters: Operator,
  audienceIdOf: (reference: string) => string | undefined,
  path: string
): Operator {
  const mistakes: string[] = []
  const resolved = mapAudienceReferences(filters, path, (reference, place) => {
    const id = audienceIdOf(reference)
    if (id === undefined)
      mistakes.push(`${place} should be the key or id of an audience, got ${formatValue(reference)}`)
    return id ?? reference
  })
  if (mistakes.length > 0) throw badRequest(mistakes, 'invalid_body')
  return resolved
}
