import type { Filter, Operator } from '@burgee/core'

/** Returns the audiences that filters refer to. */
export function audienceReferences({ filters = [] }: Operator): readonly string[] {
  return filters.flatMap((item) => {
    if (isOperator(item)) return audienceReferences(item)
    return item.type === 'audienceMatch' ? (item._audiences ?? []) : []
  })
}

/** Replaces references to audiences by ids. `idOf` takes a reference and its path. */
export function mapAudienceReferences(
  { operator, filters = [] }: Operator,
  path: string,
  idOf: (reference: string, path: string) => string
): Operator {
  return {
    operator,
    filters: filters.map((item, index) => {
      const itemPath = `${path}.filters.${index}`
      if (isOperator(item)) return mapAudienceReferences(item, itemPath, idOf)
      if (item.type !== 'audienceMatch') return item
      const names = item._audiences ?? []
      return { ...item, _audiences: names.map((name, at) => idOf(name, `${itemPath}._audiences.${at}`)) }
    })
  }
}

/** Whether a member of `filters` is an operator. */
export function isOperator(item: Filter | Operator): item is Operator {
  return 'operator' in item
}
