import type { Audience, Filter, Operator } from '@burgee/core'

/** An operator that every engine interprets in the same way, and the audiences that it needs. */
export interface NormalizedFilters {
  readonly filters: Operator
  readonly audiences: Readonly<Record<string, Audience>>
}

/**
 * Rewrites filters so that every engine interprets them in the same way. An audience filter without a comparator means
 * `=`. Engines of existing SDKs stop an `and` at its first nested operator, so at most one nested operator remains, at
 * the end; the others become audiences named after `id`. See
 * docs/reference/config-document.md#rewritten-for-every-engine.
 */
export function normalizeFilters(id: string, filters: Operator): NormalizedFilters {
  const audiences: Record<string, Audience> = {}
  const rewrite = (operator: Operator): Operator => {
    const members = (operator.filters ?? []).map((member) =>
      isOperator(member) ? rewrite(member) : withDefaults(member)
    )
    if (operator.operator !== 'and') return { ...operator, filters: members }
    const nested = members.filter(isOperator)
    const last = nested.pop()
    const hoisted = nested.map((inner): Filter => {
      const audience = `${id}-${Object.keys(audiences).length + 1}`
      audiences[audience] = { filters: inner }
      return { type: 'audienceMatch', comparator: '=', _audiences: [audience] }
    })
    const leaves = members.filter((member) => !isOperator(member))
    return { ...operator, filters: [...leaves, ...hoisted, ...(last ? [last] : [])] }
  }
  return { filters: rewrite(filters), audiences }
}

/** Adds members that one engine requires and another assumes. */
function withDefaults(filter: Filter): Filter {
  if (filter.type === 'audienceMatch') return { ...filter, comparator: filter.comparator ?? '=' }
  if (filter.type !== 'user') return filter
  const values = (filter.values ?? []).filter((value) => value !== null && value !== undefined)
  if (filter.subType !== 'customData') return { ...filter, values }
  return { ...filter, values, dataKeyType: filter.dataKeyType ?? dataKeyTypeOf(values[0]) }
}

function dataKeyTypeOf(value: unknown): string {
  return typeof value === 'number' ? 'Number' : typeof value === 'boolean' ? 'Boolean' : 'String'
}

function isOperator(member: Filter | Operator): member is Operator {
  return 'operator' in member && Boolean(member.operator)
}
