import { TargetOperator } from '@burgee/contract/schemas'
import { isRecord, omitUndefined } from '@burgee/kit'
import { formatValue } from '@burgee/kit/text'
import type { ProjectFile } from '../fileSchema.ts'
import { parsePercentage } from '../percentage.ts'
import {
  type DocumentConfiguration,
  type DocumentRollout,
  type DocumentTarget,
  type Filter,
  isOperator,
  type Operator,
  type ProjectDocument,
  type Resource,
  SETTINGS_KEY
} from '../projectDocument.ts'

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

type Report = (path: readonly PropertyKey[], message: string) => void

/** Returns the resources of a file: percentages as fractions, and each value in one form. */
export function normalizeFile(file: ProjectFile): {
  readonly resources: ProjectDocument
  readonly issues: readonly Issue[]
} {
  const issues: Issue[] = []
  const report: Report = (path, message) => void issues.push({ path, message })
  const resources: ProjectDocument = {
    customProperties: mapValues(file.customProperties, ({ allowed, ...others }) => ({
      ...others,
      ...(allowed && {
        allowed: allowed.map((one) => (isRecord(one) && one.label === String(one.value) ? one.value : one))
      })
    })),
    audiences: mapValues(file.audiences, ({ for: filters, ...others }) => ({
      ...others,
      ...(filters !== undefined && { for: toOperator(filters) })
    })),
    variables: mapValues(file.variables, (variable) => variable),
    features: mapValues(file.features, (feature, key) => toFeature(feature, ['features', key], report)),
    metrics: mapValues(file.metrics, (metric) => metric),
    webhooks: mapValues(file.webhooks, ({ events, environments, ...others }) => ({
      ...others,
      ...(events && { events: [...new Set(events)].sort() }),
      ...(environments && { environments: [...new Set(environments)].sort() })
    })),
    settings: mapValues(file.settings && { [SETTINGS_KEY]: file.settings }, (settings) => settings)
  }
  return { resources, issues }
}

function mapValues<T>(
  section: Readonly<Record<string, T>> | undefined,
  change: (value: T, key: string) => object
): Readonly<Record<string, Resource>> {
  // Resources are plain objects.
  return Object.fromEntries(Object.entries(section ?? {}).map(([key, value]) => [key, change(value, key) as Resource]))
}

type FeatureFile = NonNullable<ProjectFile['features']>[string]

function toFeature(feature: FeatureFile, path: readonly string[], report: Report): object {
  const { environments, tags, metrics, ...others } = feature
  return {
    ...others,
    ...(tags && { tags }),
    ...(metrics && { metrics: [...metrics].sort() }),
    ...(environments && {
      environments: mapValues(environments, ({ status, targets }, key): DocumentConfiguration => {
        const place = [...path, 'environments', key, 'targets']
        return omitUndefined({ status, targets: targets && toTargets(targets, place, report) })
      })
    })
  }
}

type TargetFile = NonNullable<NonNullable<NonNullable<FeatureFile['environments']>[string]>['targets']>[number]

function toTargets(targets: readonly TargetFile[], path: readonly string[], report: Report): readonly DocumentTarget[] {
  const seen = new Set<string>()
  return targets.map((target, index) => {
    const { name, id, for: filters, serve, rollout, bucketingKey } = target
    const identity = id ?? name
    if (identity !== undefined && seen.has(identity)) {
      report([...path, index], `is the second target "${identity}": names should be unique`)
    }
    if (identity !== undefined) seen.add(identity)
    const operator = toOperator(filters)
    const { error } = TargetOperator.safeParse(operator)
    for (const { message } of error?.issues.slice(0, 1) ?? []) report([...path, index, 'for'], message)
    return omitUndefined({
      name,
      id,
      for: operator,
      serve: toShares(serve, [...path, String(index), 'serve'], report),
      rollout: rollout && toRollout(rollout, [...path, String(index), 'rollout'], report),
      bucketingKey
    })
  })
}

function toOperator(filters: unknown): Operator {
  if (filters === 'everybody') return { operator: 'and', filters: [{ type: 'all' }] }
  // The schema of the file accepts only lists of filters and operators.
  const operator = (Array.isArray(filters) ? { operator: 'and', filters } : filters) as Operator
  return normalizeOperator(operator)
}

/** Returns an operator in which equal filters are written equally. */
export function normalizeOperator({ operator, filters }: Operator): Operator {
  return { operator, filters: filters.map((item) => (isOperator(item) ? normalizeOperator(item) : toFilter(item))) }
}

function toFilter(filter: Filter): Filter {
  if (filter.type === 'optIn') return { type: 'optIn' }
  if (filter.type !== 'audienceMatch') return filter
  return { ...filter, comparator: filter.comparator ?? '=' }
}

function toShares(serve: TargetFile['serve'], path: readonly PropertyKey[], report: Report): Record<string, number> {
  if (typeof serve === 'string') return { [serve]: 1 }
  const shares = Object.entries(serve).map(([key, percentage]) => [key, parsePercentage(percentage)] as const)
  const sum = shares.reduce((total, [, share]) => total + share, 0)
  if (Math.abs(sum - 1) > TOLERANCE) {
    report(path, `should add up to 100%, got ${Number((sum * 100).toFixed(6))}%`)
  }
  return Object.fromEntries(shares)
}

const TOLERANCE = 0.0001

function toRollout(
  { type, startDate, startPercentage, stages }: NonNullable<TargetFile['rollout']>,
  path: readonly PropertyKey[],
  report: Report
): DocumentRollout {
  const toDate = (text: string, at: readonly PropertyKey[]) => {
    if (!Number.isNaN(Date.parse(text))) return new Date(text).toISOString()
    report(at, `should be a date-time such as 2026-03-01T12:00:00Z, got ${formatValue(text)}`)
    return text
  }
  return omitUndefined({
    type,
    startDate: toDate(startDate, [...path, 'startDate']),
    startPercentage: startPercentage === undefined ? undefined : parsePercentage(startPercentage),
    stages: stages?.map((stage, index) => ({
      type: stage.type,
      percentage: parsePercentage(stage.percentage),
      date: toDate(stage.date, [...path, 'stages', index, 'date'])
    }))
  })
}
