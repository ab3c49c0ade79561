import { nameOf } from './condition.ts'
import { createFormatter, toJson, type WordContext } from './context.ts'
import {
  type ConfigurationData,
  filtersOf,
  list,
  MAX_DEPTH,
  type Members,
  matchesEveryone,
  members,
  text
} from './data.ts'
import { english } from './messages.ts'
import { rolloutState } from './rolloutState.ts'

/** A mistake that the API accepts. `target` and `by` are indexes; paths lead from the audience's operator to a filter. */
export type TargetWarning =
  | { readonly code: 'neverReached'; readonly target: number; readonly by: number }
  | {
      readonly code: 'duplicateCondition' | 'contradiction'
      readonly target: number
      readonly path: Path
      readonly other: Path
    }
  | { readonly code: 'everyoneInAny'; readonly target: number; readonly path: Path }
  | { readonly code: 'emptyAudience'; readonly target: number; readonly path: Path; readonly audience: string }
  | { readonly code: 'missingValue'; readonly variation: string; readonly variables: readonly string[] }

/** Indexes in `filters`, from the outer operator to the filter. */
type Path = readonly number[]

/** The inputs of warnings in addition to the configuration. */
export interface WarningOptions {
  /** Epoch milliseconds. */
  readonly now: number
  readonly variations?: readonly { readonly key: string; readonly variables?: object | undefined }[]
  /** Ids and keys of audiences that match nobody in a sample of users. */
  readonly emptyAudiences?: ReadonlySet<string>
}

/** Returns the mistakes of a configuration that the API accepts. Works for any data. */
export function targetWarnings(configuration: ConfigurationData, options: WarningOptions): readonly TargetWarning[] {
  const targets = list(members(configuration).targets).map(members)
  const isWhole = targets.map(({ rollout }) => {
    const { share, end } = rolloutState(rollout, options.now)
    return share === 1 && !end
  })
  const warnings = targets.flatMap((target, index): readonly TargetWarning[] => {
    const by = targets.findIndex((other, at) => at < index && isWhole[at] && includes(other, target))
    return [
      ...(by === -1 ? [] : [{ code: 'neverReached', target: index, by } as const]),
      ...operatorWarnings(filtersOf(target), index, [], options)
    ]
  })
  return [...warnings, ...valueWarnings(options)]
}

/** Whether a target certainly selects all users of another one: it selects everyone, or by the same only filter. */
function includes(one: Members, other: Members): boolean {
  if (matchesEveryone(filtersOf(one))) return true
  const [first, second] = [onlyFilter(one), onlyFilter(other)]
  // The keys of 10,000 values take long.
  const isAlike = first.type !== undefined && list(first.values).length === list(second.values).length
  return isAlike && keyOf(first) === keyOf(second)
}

function onlyFilter(target: Members): Members {
  const [only, ...others] = list(filtersOf(target).filters)
  return members(others.length === 0 && only)
}

function operatorWarnings(operator: Members, target: number, path: Path, options: WarningOptions): TargetWarning[] {
  const filters = list(operator.filters).map(members)
  if (path.length > MAX_DEPTH) return []
  const seen = new Map<string, Path>()
  const isAny = operator.operator === 'or'
  // A filter alone repeats none, and the key of 10,000 values takes long.
  const isAlone = filters.length === 1
  return filters.flatMap((filter, index): TargetWarning[] => {
    const own = [...path, index]
    if (filter.operator) return operatorWarnings(filter, target, own, options)
    const key = isAlone ? '' : keyOf(filter)
    const duplicate = seen.get(key)
    const opposite = isAny || isAlone ? undefined : seen.get(oppositeOf(filter))
    if (!duplicate) seen.set(key, own)
    const empty = list(filter._audiences).filter((id): id is string => {
      const isIn = filter.type === 'audienceMatch' && filter.comparator !== '!='
      return isIn && options.emptyAudiences?.has(id as string) === true
    })
    return [
      ...(duplicate ? [{ code: 'duplicateCondition', target, path: own, other: duplicate } as const] : []),
      ...(opposite ? [{ code: 'contradiction', target, path: own, other: opposite } as const] : []),
      ...(isAny && !isAlone && filter.type === 'all' ? [{ code: 'everyoneInAny', target, path: own } as const] : []),
      ...empty.map((audience) => ({ code: 'emptyAudience', target, path: own, audience }) as const)
    ]
  })
}

/** Returns the same text for filters that select the same users; the order of values does not matter. */
function keyOf({ type, subType, dataKey, dataKeyType, comparator = '=', values, _audiences }: Members): string {
  const sorted = [...list(values), ...list(_audiences)].map((value) => `${typeof value} ${toJson(value)}`).sort()
  return [type, subType, dataKey, dataKeyType, comparator, ...sorted].map(toJson).join()
}

/** Returns the key of the filter that selects exactly the other users. */
function oppositeOf(filter: Members): string {
  const comparator = text(filter.comparator) ?? '='
  const opposite = comparator[0] === '!' ? comparator.slice(1) : `!${comparator}`
  const hasOne = filter.type === 'user' || filter.type === 'audienceMatch'
  return hasOne ? keyOf({ ...filter, comparator: opposite || '=' }) : ''
}

function valueWarnings({ variations = [] }: WarningOptions): TargetWarning[] {
  const keys = [...new Set(variations.flatMap(({ variables }) => Object.keys(members(variables))))]
  return variations.flatMap(({ key, variables }) => {
    const missing = keys.filter((name) => !Object.hasOwn(members(variables), name))
    return missing.length > 0 ? [{ code: 'missingValue', variation: key, variables: missing } as const] : []
  })
}

/** Describes a warning. */
export function warningSentence(warning: TargetWarning, context: WordContext): string {
  const { warning: messages } = context.messages ?? english
  const format = createFormatter(context)
  switch (warning.code) {
    case 'neverReached':
      return messages.neverReached({ by: format.value(warning.by + 1) })
    case 'emptyAudience':
      return messages.emptyAudience({ audience: nameOf(context.audiences, warning.audience) })
    case 'missingValue': {
      const variables = format.and(warning.variables.map(format.value))
      return messages.missingValue({ variation: nameOf(context.variations, warning.variation), variables })
    }
    default:
      return messages[warning.code]()
  }
}
