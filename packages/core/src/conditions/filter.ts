import type { JsonCursor } from '../json/jsonCursor.ts'
import type { Filter } from '../types/audience.ts'
import { customDataRule } from './customDataRule.ts'
import { asString, type Condition, customValue } from './evaluationState.ts'
import { CYCLE } from './matcher.ts'
import type { PreparedFilter } from './prepared.ts'
import { type PrepareSearch, type StringRule, stringRule } from './stringRule.ts'
import { memoizedVersionParser, type VersionParser, versionRule } from './version.ts'

/** The filters that depend on the user only, by the names of their conditions. Equal filters are one. */
export interface Conditions extends Map<string, PreparedFilter> {
  /** How conditions search for many values in a text. Default: `String.includes`. */
  readonly search?: PrepareSearch
}

/** Prepares a filter (docs/reference/evaluation.md, Filters). */
export function prepareFilter(cursor: JsonCursor, conditions: Conditions): PreparedFilter {
  cursor.object()
  // The line above checked that this is an object, so its copy is one; every property is checked before use.
  const source = cursor.json() as unknown as Filter
  switch (source.type) {
    case 'all':
      return conditionFilter(source, 'All Users', true, conditions, always)
    case 'user':
      return userFilter(source, cursor, conditions)
    case 'audienceMatch':
      return audienceMatchFilter(source, conditions)
    case 'optIn':
      return optInFilter(source)
    default:
      return neverMatches(source, conditions)
  }
}

/** Applies a rule to one property. A function per property takes 23 instructions less than a computed name. */
type Binder = (rule: StringRule) => Condition['test']

/**
 * The subTypes of properties, with their labels in `eval.details`. Each one that holds versions has a parser, which
 * remembers the version it parsed last.
 */
const attributes: ReadonlyMap<string, readonly [label: string, bind: Binder, parse?: VersionParser]> = new Map<
  string,
  [string, Binder, VersionParser?]
>([
  ['user_id', ['User ID', (rule) => (user) => rule(asString(user.user_id))]],
  ['email', ['Email', (rule) => (user) => rule(asString(user.email))]],
  ['country', ['Country', (rule) => (user) => rule(asString(user.country))]],
  ['platform', ['Platform', (rule) => (user) => rule(asString(user.platform))]],
  ['deviceModel', ['Device Model', (rule) => (user) => rule(asString(user.deviceModel))]],
  ['appVersion', ['App Version', (rule) => (user) => rule(asString(user.appVersion)), memoizedVersionParser()]],
  [
    'platformVersion',
    ['Platform Version', (rule) => (user) => rule(asString(user.platformVersion)), memoizedVersionParser()]
  ]
])

function userFilter(source: Filter, cursor: JsonCursor, conditions: Conditions): PreparedFilter {
  const subType = cursor.at('subType').string()
  const comparator = asString(source.comparator)
  const values = readValues(cursor.at('values'))
  const attribute = attributes.get(subType)
  if (attribute) {
    const [label, bind, parseVersion] = attribute
    const rule =
      parseVersion && comparator !== '='
        ? versionRule(comparator ?? '', values, parseVersion)
        : stringRule(comparator, values, conditions.search)
    return conditionFilter(source, label, false, conditions, bind(rule))
  }
  if (subType === 'customData') {
    const { dataKey } = source
    const label = `Custom Data -> ${dataKey}`
    // A filter without the name of an attribute matches every user, as in the reference engine.
    if (typeof dataKey !== 'string' || dataKey === '') {
      return conditionFilter(source, label, false, conditions, always)
    }
    const rule = customDataRule(comparator, values, conditions.search)
    return conditionFilter(source, label, false, conditions, (user) => rule(customValue(user, dataKey)))
  }
  return neverMatches(source, conditions)
}

/** Returns the values to compare with. Anything but an array counts as an empty one. */
function readValues(cursor: JsonCursor): (string | number | boolean)[] {
  if (!Array.isArray(cursor.value)) return []
  return cursor
    .items()
    .filter((value) => !value.isAbsent())
    .map((value) => value.scalar())
}

/** The test of filters that match every user. */
export function always(): boolean {
  return true
}

function neverMatches(source: Filter, conditions: Conditions): PreparedFilter {
  return conditionFilter(source, '', true, conditions, () => false)
}

/** Makes a filter of a test, or returns the one with the same definition. */
function conditionFilter(
  source: Filter,
  text: string,
  overwrites: boolean,
  conditions: Conditions,
  test: Condition['test']
): PreparedFilter {
  const name = JSON.stringify(source)
  const known = conditions.get(name)
  if (known) return known
  const condition: Condition = { name, test, memoId: 0, passed: false }
  const match: PreparedFilter['match'] = (state, user) => (state.passes(condition, user) ? text : undefined)
  const filter: PreparedFilter = { source, condition, match, text, overwrites }
  conditions.set(name, filter)
  return filter
}

const NOT_IN_AUDIENCE = 'Not in Audience'

/** Tries audiences in order. An unknown one ends the search with no match (docs/reference/evaluation.md, Audiences). */
function audienceMatchFilter(source: Filter, conditions: Conditions): PreparedFilter {
  const isNegated = source.comparator === '!='
  const ids: readonly unknown[] | undefined = Array.isArray(source._audiences) ? source._audiences : undefined
  if (!ids || (source.comparator !== '=' && !isNegated)) return neverMatches(source, conditions)
  const texts = new Map<string, string>()
  const textFor = (inner: string): string => {
    // Equal texts are the same string object, which makes comparing them fast.
    const text = texts.get(inner) ?? (inner ? `Audience Match -> ${inner}` : 'Audience Match')
    texts.set(inner, text)
    return text
  }
  const match: PreparedFilter['match'] = (state, user) => {
    for (const id of ids) {
      const audience = state.config.audiences.get(id)
      if (!audience) return undefined
      const result = audience.match(state, user)
      if (result === CYCLE) return CYCLE
      if (result !== undefined) return isNegated ? undefined : textFor(result)
    }
    return isNegated ? NOT_IN_AUDIENCE : undefined
  }
  return { source, match, text: isNegated ? NOT_IN_AUDIENCE : undefined, overwrites: true }
}

function optInFilter(source: Filter): PreparedFilter {
  const match: PreparedFilter['match'] = (state, user) => (state.hasOptedIn(user) ? 'Opt-In' : undefined)
  return { source, match, text: 'Opt-In', overwrites: true, failureText: 'Not Opt-In' }
}
