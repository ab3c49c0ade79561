import { show } from '@burgee/contract'
import type { Operator } from '@burgee/core'
import { invalid } from '../errors.ts'
import { withAudienceIds } from './references.ts'

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
  const resolved = withAudienceIds(filters, path, (reference, place) => {
    const id = audienceIdOf(reference)
    if (id === undefined) mistakes.push(`${place} should be the key or id of an audience, got ${show(reference)}`)
    return id ?? reference
  })
  if (mistakes.length > 0) throw invalid(mistakes, 'invalid_body')
  return resolved
}
