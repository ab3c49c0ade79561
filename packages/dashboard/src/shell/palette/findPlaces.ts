import type { FeatureListItem } from '@burgee/contract/schemas'
import type { navigation } from '../navigation.ts'

interface Page {
  readonly title: string
  readonly to: (typeof navigation)[number]['to'] | '/o/$org/p/$project/features/new'
}

/** A page of the project or a feature, where the palette leads. */
export interface Place {
  readonly id: string
  readonly title: string
  /** The key of a feature. */
  readonly feature?: string
  /** The address of a page. */
  readonly to?: Page['to']
}

/** The most features that the palette lists. */
const MAX_FEATURES = 10

/** The pages and the features whose name or key has all words of a query. Without words, the pages. */
export function findPlaces(
  query: string,
  all: readonly Page[],
  features: readonly Pick<FeatureListItem, 'key' | 'name'>[]
): readonly Place[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const has = (...texts: readonly string[]) => words.every((word) => texts.join('\n').toLowerCase().includes(word))
  const pages = all.filter(({ title }) => has(title)).map(({ title, to }) => ({ id: to, title, to }))
  if (words.length === 0) return pages
  const found = features
    .filter(({ name, key }) => has(name, key))
    .slice(0, MAX_FEATURES)
    .map(({ name, key }) => ({ id: `feature ${key}`, title: name, feature: key }))
  return [...pages, ...found]
}
