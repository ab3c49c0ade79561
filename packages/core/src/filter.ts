import { customDataRule } from './customDataRule.ts'
import type { Place } from './place.ts'
import { stringRule } from './stringRule.ts'
import { type Condition, type Conditions, type Readable, type Subject, textOf, type VersionMember } from './subject.ts'
import type { Filter } from './types/audience.ts'
import { ENDLESS, type Verdict } from './verdict.ts'
import { versionRule } from './version.ts'

/** A filter, prepared. */
export interface PreparedFilter {
  readonly source: Filter
  readonly match: (subject: Subject) => Verdict
  /** What it asks, where that is all there is to it: whoever passes matches with its `text`. */
  readonly condition?: Condition
  /** The text it brings to `eval.details` when it matches, where that is the same for every user. */
  readonly text: string | undefined
  /** How its text joins the texts of its siblings; see `operator.ts`. */
  readonly joins: 'append' | 'overwrite'
  /** The text it leaves when it does not match. */
  readonly failureText?: string
}

/** Prepares a filter (`evaluation.md` §2.2). */
export function prepareFilter(place: Place, conditions: Conditions): PreparedFilter {
  place.object()
  // An object by the line above, and its copy is one too; every member is looked at before it is trusted.
  const source = place.json() as unknown as Filter
  switch (source.type) {
    case 'all':
      return plain(source, 'All Users', 'overwrite', conditions, () => true)
    case 'user':
      return userFilter(source, place, conditions)
    case 'audienceMatch':
      return audienceMatch(source, conditions)
    case 'optIn':
      return optIn(source)
    default:
      return never(source, conditions)
  }
}

/** Reads a member of a user by its name, which is faster than reading whichever one is meant. */
type Reader = (user: Readable) => unknown

/** The subTypes with string rules: what `eval.details` calls them, and how they are read. */
const texts: ReadonlyMap<string, readonly [label: string, read: Reader]> = new Map([
  ['user_id', ['User ID', (user) => user.user_id]],
  ['email', ['Email', (user) => user.email]],
  ['country', ['Country', (user) => user.country]],
  ['platform', ['Platform', (user) => user.platform]],
  ['deviceModel', ['Device Model', (user) => user.deviceModel]]
])

function userFilter(source: Filter, place: Place, conditions: Conditions): PreparedFilter {
  const subType = place.at('subType').string()
  const comparator = typeof source.comparator === 'string' ? source.comparator : undefined
  const values = readValues(place.at('values'))
  const text = texts.get(subType)
  if (text) {
    const [label, read] = text
    const rule = stringRule(comparator, values)
    return plain(source, label, 'append', conditions, (subject) => rule(textOf(read(subject.user))))
  }
  if (subType === 'appVersion' || subType === 'platformVersion') {
    const label = subType === 'appVersion' ? 'App Version' : 'Platform Version'
    return plain(source, label, 'append', conditions, versionTest(subType, comparator ?? '', values))
  }
  if (subType === 'customData') {
    const { dataKey } = source
    const label = `Custom Data -> ${dataKey}`
    // A filter that names no attribute lets everybody pass.
    if (typeof dataKey !== 'string' || dataKey === '') return plain(source, label, 'append', conditions, () => true)
    const rule = customDataRule(comparator, values)
    return plain(source, label, 'append', conditions, (subject) => rule(subject.customValue(dataKey)))
  }
  return never(source, conditions)
}

/** The values to compare with. What is no list, or empty, holds none. */
function readValues(place: Place): (string | number | boolean)[] {
  if (!Array.isArray(place.value)) return []
  return place
    .items()
    .filter((value) => !value.isAbsent())
    .map((value) => value.scalar())
}

function versionTest(
  member: VersionMember,
  comparator: string,
  values: readonly unknown[]
): (subject: Subject) => boolean {
  if (comparator === '=') {
    const exact = stringRule('=', values)
    return (subject) => exact(textOf(subject.user[member]))
  }
  const rule = versionRule(comparator, values)
  return (subject) => {
    const text = textOf(subject.user[member])
    return text ? rule(text, subject.version(member, text)) : false
  }
}

function never(source: Filter, conditions: Conditions): PreparedFilter {
  return plain(source, '', 'overwrite', conditions, () => false)
}

/** A filter that is nothing but a condition. */
function plain(
  source: Filter,
  text: string,
  joins: PreparedFilter['joins'],
  conditions: Conditions,
  test: Condition['test']
): PreparedFilter {
  const name = JSON.stringify(source)
  const condition = conditions.get(name) ?? { name, test, round: 0, isPassed: false }
  conditions.set(name, condition)
  return { source, condition, match: (subject) => (subject.passes(condition) ? text : undefined), text, joins }
}

const NOT_IN_AUDIENCE = 'Not in Audience'

/** Audiences are tried in order; an unknown one ends the search for both comparators (`evaluation.md` §2.7). */
function audienceMatch(source: Filter, conditions: Conditions): PreparedFilter {
  const isNegated = source.comparator === '!='
  const ids: readonly unknown[] | undefined = Array.isArray(source._audiences) ? source._audiences : undefined
  if (!ids || (source.comparator !== '=' && !isNegated)) return never(source, conditions)
  const known = new Map<string, string>()
  const found = (inner: string): string => {
    // One string per inner text, so that equal texts are the same object and compare at once.
    const text = known.get(inner) ?? (inner ? `Audience Match -> ${inner}` : 'Audience Match')
    known.set(inner, text)
    return text
  }
  const match = (subject: Subject): Verdict => {
    for (const id of ids) {
      const operator = subject.around.audiences.get(id)
      if (!operator) return undefined
      const verdict = operator.match(subject)
      if (verdict === ENDLESS) return ENDLESS
      if (verdict !== undefined) return isNegated ? undefined : found(verdict)
    }
    return isNegated ? NOT_IN_AUDIENCE : undefined
  }
  return { source, match, text: isNegated ? NOT_IN_AUDIENCE : undefined, joins: 'overwrite' }
}

function optIn(source: Filter): PreparedFilter {
  const match = (subject: Subject): Verdict => (subject.hasOptedIn() ? 'Opt-In' : undefined)
  return { source, match, text: 'Opt-In', joins: 'overwrite', failureText: 'Not Opt-In' }
}
