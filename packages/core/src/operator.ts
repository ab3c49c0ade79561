import { type PreparedFilter, prepareFilter } from './filter.ts'
import type { Shared } from './judge.ts'
import type { Place } from './place.ts'
import type { Subject } from './subject.ts'
import type { Operator } from './types/audience.ts'
import { ENDLESS, type Verdict } from './verdict.ts'

/** An operator, prepared: a tree of conditions that is tried from the left and given up as soon as it is decided. */
export interface PreparedOperator {
  readonly source: Operator
  readonly members: readonly (PreparedFilter | PreparedOperator)[]
  readonly match: (subject: Subject) => Verdict
}

/** Deeper than this, through nesting and audiences together, filters are taken to be endless. */
const MAX_DEPTH = 1000

/** Prepares an operator and everything in it (`evaluation.md` §2.1). */
export function prepareOperator(place: Place, shared: Shared): PreparedOperator {
  // Read as an object on this line; both of its members are looked at before they are trusted.
  const source = place.object() as unknown as Operator
  const filters = place.at('filters')
  const members = filters.isAbsent()
    ? []
    : filters.items().map((item) => {
        return item.object().operator ? prepareOperator(item, shared) : prepareFilter(item, shared)
      })
  return { source, members, match: matcher(source, members) }
}

function matcher(
  source: Operator,
  members: readonly (PreparedFilter | PreparedOperator)[]
): (subject: Subject) => Verdict {
  const [only] = members
  // Most operators have one plain condition, and then its verdict is the operator's.
  if (only && members.length === 1 && !isOperator(only) && !leadsOn(only)) return only.match
  const match = source.operator === 'or' ? any(members) : all(members, source.operator === 'and')
  return members.some(leadsOn) ? bounded(match) : match
}

/** Whether a member leads to further operators, from which there may be no end. */
export function leadsOn(member: PreparedFilter | PreparedOperator): boolean {
  return isOperator(member) || member.source.type === 'audienceMatch'
}

/** A condition stands in the tree as itself, an operator as a tree of its own. */
export function isOperator(member: PreparedFilter | PreparedOperator): member is PreparedOperator {
  return 'members' in member
}

function bounded(match: (subject: Subject) => Verdict): (subject: Subject) => Verdict {
  return (subject) => {
    if (subject.depth === MAX_DEPTH) return ENDLESS
    subject.depth++
    const verdict = match(subject)
    subject.depth--
    return verdict
  }
}

/** One member is enough. Its text is the operator's; a nested operator brings none, and then a failed opt-in before it shows through. */
function any(members: readonly (PreparedFilter | PreparedOperator)[]): (subject: Subject) => Verdict {
  return (subject) => {
    let text = ''
    for (const member of members) {
      const verdict = member.match(subject)
      if (verdict === ENDLESS) return ENDLESS
      if (verdict !== undefined) return isOperator(member) ? text : verdict
      if (!isOperator(member) && member.failureText) text = member.failureText
    }
    return undefined
  }
}

/** Every member has to match, and there has to be one. */
function all(members: readonly (PreparedFilter | PreparedOperator)[], isAnd: boolean): (subject: Subject) => Verdict {
  if (members.length === 0) return () => undefined
  const known = members.map((member) => (isOperator(member) ? '' : member.text))
  // Only an audience's text depends on the user; unless there is one, the texts are joined here, once.
  const fixed = known.every((text) => text !== undefined) ? joinTexts(members, known, isAnd) : undefined
  return (subject) => {
    const texts: string[] | undefined = fixed === undefined ? [] : undefined
    for (const member of members) {
      const verdict = member.match(subject)
      if (typeof verdict !== 'string') return verdict
      texts?.push(verdict)
    }
    return texts ? joinTexts(members, texts, isAnd) : fixed
  }
}

/** The reference engine's text of an operator whose members all matched, with its quirks (`evaluation.md` §6.2). */
function joinTexts(
  members: readonly (PreparedFilter | PreparedOperator)[],
  texts: readonly string[],
  isAnd: boolean
): string {
  return members.reduce((text, member, index) => {
    if (isOperator(member)) return text
    if (!isAnd || member.joins === 'overwrite') return texts[index] ?? ''
    return `${text}${texts[index]}${index < members.length - 1 ? ' AND ' : ''}`
  }, '')
}
