import type { Target } from '@burgee/contract/schemas'
import { isRecord } from '@burgee/kit'
import { escapeInvisibleCharacters } from '@burgee/kit/text'

type Names = ReadonlyMap<string, string>

/** Describes a distribution: `20% "Compact", 80% "Wide"`. `names` has the names of variations by id. */
export function describeDistribution(distribution: Target['distribution'], names: Names): string {
  return distribution
    .map(({ _variation, percentage }) => `${percent(percentage)} ${quote(names.get(_variation) ?? _variation)}`)
    .join(', ')
}

/** Describes a rollout: `gradual: 0% from 2026-12-01T00:00Z, linear to 100% at 2026-12-31T00:00Z`. */
export function describeRollout({
  type,
  startDate,
  startPercentage,
  stages = []
}: NonNullable<Target['rollout']>): string {
  const start = type === 'schedule' ? '' : `${percent(startPercentage ?? 0)} `
  const steps = stages.map((stage) => {
    return stage.type === 'linear'
      ? `linear to ${percent(stage.percentage)} at ${moment(stage.date)}`
      : `${percent(stage.percentage)} from ${moment(stage.date)}`
  })
  return `${type}: ${[`${start}from ${moment(startDate)}`, ...steps].join(', ')}`
}

/** Describes the users of a target, with every value. `names` has the names of audiences by id and by key. */
export function describeAudience({ filters }: Target['audience'], names: Names): string {
  return describeFilter(filters, names, false)
}

/** Describes a filter. An unknown form is shown as JSON, so that nothing is hidden. */
function describeFilter(filter: unknown, names: Names, isNested: boolean): string {
  if (!isRecord(filter)) return quote(filter)
  if (Array.isArray(filter.filters) && (filter.operator === 'and' || filter.operator === 'or')) {
    const [only, ...others] = filter.filters
    if (others.length === 0) return describeFilter(only, names, isNested)
    const parts = filter.filters.map((one) => describeFilter(one, names, true)).join(` ${filter.operator} `)
    return isNested ? `(${parts})` : parts
  }
  if (filter.type === 'all') return 'all users'
  if (filter.type === 'optIn') return 'users who opted in'
  if (filter.type === 'audienceMatch' && Array.isArray(filter._audiences)) {
    const audiences = filter._audiences.map((reference) => quote(names.get(String(reference)) ?? reference))
    return `${filter.comparator === '!=' ? 'not ' : ''}in ${audiences.join(' or ')}`
  }
  const words = typeof filter.comparator === 'string' ? comparators[filter.comparator] : undefined
  if (filter.type !== 'user' || words === undefined) return quote(filter)
  const attribute = filter.subType === 'customData' ? `custom data ${quote(filter.dataKey)}` : String(filter.subType)
  const values = Array.isArray(filter.values) && !String(filter.comparator).endsWith('exist') ? filter.values : []
  return [attribute, words, values.map(quote).join(' or ')].filter(Boolean).join(' ')
}

const comparators: Readonly<Record<string, string>> = {
  '=': 'is',
  '!=': 'is not',
  '>': '>',
  '>=': '>=',
  '<': '<',
  '<=': '<=',
  exist: 'exists',
  '!exist': 'does not exist',
  contain: 'contains',
  '!contain': 'does not contain',
  startWith: 'starts with',
  '!startWith': 'does not start with',
  endWith: 'ends with',
  '!endWith': 'does not end with'
}

/** Formats a fraction of 1. Rounds only the digits that floating-point arithmetic adds. */
function percent(share: number): string {
  return `${Number((share * 100).toPrecision(12))}%`
}

function moment(date: string): string {
  return date.replace(/(:00)?\.000Z$/, 'Z')
}

function quote(value: unknown): string {
  return escapeInvisibleCharacters(JSON.stringify(value) ?? '')
}
