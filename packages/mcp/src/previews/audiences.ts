import { ApiError, paginate } from '@burgee/contract/client'
import type { CreateFeature } from '@burgee/contract/schemas'
import { ToolError } from '../answers/toolError.ts'
import type { Call } from '../api/call.ts'
import { quoted } from '../quoted.ts'

/** @throws {ToolError} when a filter names an audience that is not there. */
export async function demandAudiences(
  { configurations = {} }: Pick<CreateFeature, 'configurations'>,
  { client, project }: Call
): Promise<void> {
  const wanted = Object.values(configurations).flatMap(({ targets = [] }) => {
    return targets.flatMap(({ audience }) => audiencesIn(audience.filters))
  })
  if (wanted.length === 0) return
  const known = new Set<string>()
  try {
    for await (const { _id, key } of paginate(client.listAudiences, { params: { project: project() }, query: {} })) {
      for (const reference of [_id, key]) if (reference !== undefined) known.add(reference)
    }
  } catch (error) {
    // Who may not read them may name them all the same: the API says what is wrong with that.
    if (error instanceof ApiError && error.status === 403) return
    throw error
  }
  const stranger = wanted.find((reference) => !known.has(reference))
  if (stranger === undefined) return
  throw new ToolError(
    'VALIDATION_ERROR',
    `_audiences should name audiences of the project by key or id, got ${quoted(stranger)}`
  )
}

/** The audiences that filters name, however deep. */
function audiencesIn(filters: unknown): readonly string[] {
  if (typeof filters !== 'object' || filters === null) return []
  return Object.entries(filters).flatMap(([name, value]) => {
    return name === '_audiences' && Array.isArray(value) ? value.map(String) : audiencesIn(value)
  })
}
