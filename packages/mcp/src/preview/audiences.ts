import { ApiError, collect } from '@burgee/contract/client'
import type { CreateFeature, Feature } from '@burgee/contract/schemas'
import type { Call } from '../api/call.ts'
import { formatQuoted } from '../results/formatQuoted.ts'
import { ToolError } from '../results/toolError.ts'

type Configurations = Pick<CreateFeature, 'configurations'>

/**
 * Returns the names of audiences by id and by key. Empty if no target of the update or the feature refers to an audience.
 * @throws {ToolError} when the update refers to an unknown audience.
 */
export async function readAudienceNames(
  { configurations = {} }: Configurations,
  feature: Pick<Feature, 'configurations'> | undefined,
  call: Call
): Promise<ReadonlyMap<string, string>> {
  const references = Object.values(configurations).flatMap(({ targets }) => referencesIn(targets))
  if (references.length === 0 && referencesIn(feature?.configurations).length === 0) return new Map()
  const names = await audienceNames(call)
  const unknown = names && references.find((reference) => !names.has(reference))
  if (unknown === undefined) return names ?? new Map()
  throw new ToolError(
    'VALIDATION_ERROR',
    `_audiences must name audiences of the project by key or id, got ${formatQuoted(unknown)}`
  )
}

/** Reads the names of audiences. Without permission, only the API validates references, and descriptions show ids. */
async function audienceNames({ client, project }: Call): Promise<ReadonlyMap<string, string> | undefined> {
  const names = new Map<string, string>()
  try {
    for (const { _id, key, name } of await collect(client.listAudiences, { params: { project: project() } })) {
      for (const reference of [_id, key]) if (reference !== undefined) names.set(reference, name ?? key ?? _id)
    }
    return names
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined
    throw error
  }
}

/** Returns the audiences that filters refer to, at any depth. */
function referencesIn(data: unknown): readonly string[] {
  if (typeof data !== 'object' || data === null) return []
  return Object.entries(data).flatMap(([name, value]) => {
    return name === '_audiences' && Array.isArray(value) ? value.map(String) : referencesIn(value)
  })
}
