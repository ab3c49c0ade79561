import type { Operator } from '@burgee/core'
import { formatValue } from '@burgee/kit/text'
import { badRequest } from '../../lib/errors.ts'
import { mapAudienceReferences } from './audienceReferences.ts'

/**
 * Replaces references to audiences by ids. `path` is the path of the filters in the request.
 * @throws {HttpError} 400 with every unknown reference.
 */
export function resolveAudiences(
  filters: Operator,
  audienceIdOf: (reference: string) => string | undefined,
  path: string
): Operator {
  const issues: string[] = []
  const resolved = mapAudienceReferences(filters, path, (reference, referencePath) => {
    const id = audienceIdOf(reference)
    if (id === undefined)
      issues.push(`${referencePath} should be the key or id of an audience, got ${formatValue(reference)}`)
    return id ?? reference
  })
  if (issues.length > 0) throw badRequest(issues)
  return resolved
}
