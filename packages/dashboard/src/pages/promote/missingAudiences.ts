import type { Audience, Comparison } from '@burgee/contract/schemas'

/**
 * The audiences that targets of the left side refer to and the project of the right side lacks, with those that they
 * refer to in turn. An audience stands after those that it needs, so that they can be created in this order.
 */
export function missingAudiences(
  features: Comparison['features'],
  source: readonly Audience[],
  existing: ReadonlySet<string>
): readonly Audience[] {
  const byReference = new Map(
    source.flatMap((audience) => [[audience._id, audience] as const, [audience.key, audience]])
  )
  const missing = new Set<Audience>()
  const visited = new Set<string>()
  const visit = (reference: string) => {
    const audience = byReference.get(reference)
    if (!audience || existing.has(audience.key) || visited.has(audience._id)) return
    visited.add(audience._id)
    audienceReferences(audience.filters).forEach(visit)
    missing.add(audience)
  }
  for (const { targets } of features) {
    for (const { fields } of targets) {
      for (const { path, a } of fields) if (path === 'audience.filters') audienceReferences(a).forEach(visit)
    }
  }
  return [...missing]
}

/** The filters of an audience with references by key, which another project understands. */
export function portableFilters({ filters }: Audience, source: readonly Audience[]): Audience['filters'] {
  const keys = new Map(source.map(({ _id, key }) => [_id, key]))
  const toKey = (name: string, value: unknown) =>
    name === '_audiences' && Array.isArray(value) ? value.map((id: string) => keys.get(id) ?? id) : value
  return JSON.parse(JSON.stringify(filters, toKey)) as Audience['filters']
}

function audienceReferences(filters: unknown): readonly string[] {
  if (Array.isArray(filters)) return filters.flatMap(audienceReferences)
  if (typeof filters !== 'object' || filters === null) return []
  const { type, _audiences, filters: members } = filters as Readonly<Record<string, unknown>>
  if (type === 'audienceMatch' && Array.isArray(_audiences)) return _audiences.map(String)
  return audienceReferences(members)
}
