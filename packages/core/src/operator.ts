import { type PreparedFilter, prepareFilter } from './filter.ts'
import type { Place } from './place.ts'
import type { Condition, Conditions, Subject } from './subject.ts'
import type { Operator } from './types/audience.ts'
import { ENDLESS, type Verdict } from './verdict.ts'

/** An operator, prepared: a tree of conditions that is tried from the left and given up as soon as it is decided. */
export interface PreparedOperator {
  readonly source: Operator
  readonly members: readonly (PreparedFilter | PreparedOperator)[]
  readonly match: (subject: Subject) => Verdict
  /** The condition it comes down to, if it is as plain as that: whoever passes matches with its `text`. */
  readonly condition: Condition | undefined
  /** Its text when it matches, where that is the same for every user. */
  readonly text: string | undefined
}

/** Deeper than this, through nesting and audiences together, filters are taken to be endless. */
const MAX_DEPTH = 1000

/** Prepares an operator and everything in it (`evaluation.md` §2.1). */
export function prepareOperator(place: Place, conditions: Conditions): PreparedOperator {
  // Read as an object on this line; both of its members are looked at before they are trusted.
  const source = place.object() as unknown as Operator
  const filters = place.at('filters')
  const members = filters.isAbsent()
    ? []
    : filters.items().map((item) => {
        return item.object().operator ? prepareOperator(item, conditions) : prepareFilter(item, conditions)
      })
  const isAnd = source.operator === 'and'
  const isAny = source.operator === 'or' && members.length > 1
  // Where all have to match, only an audience's text depends on the user; unless there is one, the texts are joined here, once.
  const texts = members.map((member) => (isOperator(member) ? '' : member.text))
  const text = isAny || texts.includes(undefined) ? undefined : joinTexts(members, texts, isAnd)
  const match = isAny ? any(members) : all(members, isAnd, text)
  return {
    source,
    members,
    match: members.some(leadsOn) ? bounded(match) : match,
    condition: members.length === 1 ? members[0]?.condition : undefined,
    text
  }
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
function all(
  members: readonly (PreparedFilter | PreparedOperator)[],
  isAnd: boolean,
  known: string | undefined
): (subject: Subject) => Verdict {
  if (members.length === 0) return () => undefined
  return (subject) => {
    const texts: string[] | undefined = known === undefined ? [] : undefined
    for (const member of members) {
      const verdict = member.match(subject)
      if (typeof verdict !== 'string') return verdict
      texts?.push(verdict)
    }
    return texts ? joinTexts(members, texts, isAnd) : known
  }
}

/** The reference engine's text of an operator whose members all matched, with its quirks (`evaluation.md` §6.2). */
function joinTexts(
  members: readonly (PreparedFilter | PreparedOperator)[],
  texts: readonly (string | undefined)[],
  isAnd: boolean
): string {
  return members.reduce((text, member, index) => {
    if (isOperator(member)) return text
    if (!isAnd || member.joins === 'overwrite') return texts[index] ?? ''
    return `${text}${texts[index]}${index < members.length - 1 ? ' AND ' : ''}`
  }, '')
}
