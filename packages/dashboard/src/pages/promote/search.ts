import type { Environment } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'

/** The chosen sides of a comparison. */
export interface CompareSearch {
  readonly left?: string
  readonly right?: string
  /** Whether what is equal is shown too. */
  readonly equal?: true | undefined
}

/** The chosen features and environments of a promotion. Lists are separated by commas. */
export interface PromoteSearch {
  readonly features?: string
  readonly from?: string
  /** Another project, to whose environments the features are copied. */
  readonly into?: string | undefined
  readonly to?: string | undefined
}

type Query = Readonly<Record<string, unknown>>

export function readCompareSearch(query: Query): CompareSearch {
  return { ...pick(query, 'left'), ...pick(query, 'right'), ...(query.equal === true ? { equal: true } : {}) }
}

export function readPromoteSearch(query: Query): PromoteSearch {
  return { ...pick(query, 'features'), ...pick(query, 'from'), ...pick(query, 'into'), ...pick(query, 'to') }
}

function pick<Name extends string>(query: Query, name: Name): { readonly [N in Name]?: string } {
  const value = query[name]
  // The router reads a key such as 2024 as a number.
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' ? ({ [name]: text } as { [N in Name]: string }) : {}
}

/** The parts of a list in an address, each once. */
export function splitList(list: string | undefined): readonly string[] {
  return [...new Set((list ?? '').split(',').filter(Boolean))]
}

/** The environments to start with: from the last one before production to production. */
export function defaultSides(environments: readonly Environment[]): readonly [string, string] {
  const to = environments.find(({ type }) => type === 'production') ?? environments.at(-1)
  const others = environments.filter(({ key }) => key !== to?.key)
  const from = others.find(({ type }) => type === 'staging') ?? others.findLast((other) => !isProtected(other)) ?? to
  return [from?.key ?? '', to?.key ?? '']
}
