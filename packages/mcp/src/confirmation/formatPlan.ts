import { isProtected } from '@burgee/contract/schemas'
import { escapeInvisibleCharacters } from '@burgee/kit/text'
import type { Change } from '../plan/diff/change.ts'
import type { Plan } from '../plan/plan.ts'
import { productionFirst } from '../plan/state/affectedEnvironment.ts'
import { formatQuoted, MAX_NAMES } from '../results/formatQuoted.ts'

/** The longest message, in characters. */
export const MAX_MESSAGE = 6000

type Formattable = Pick<Plan, 'summary' | 'changes' | 'environments'>

/**
 * Formats a plan for the person who confirms it: a summary, the affected environments, and a diff by environment. All
 * user-supplied text in it is quoted. The last line counts the changes that did not fit.
 */
export function formatPlan(plan: Formattable): string {
  const { message, omitted } = formatWithin(plan)
  return omitted === 0
    ? message
    : `${message}\nand ${omitted} more ${omitted === 1 ? 'change' : 'changes'}, not shown here`
}

/** Returns how many changes the message of a plan omits or shortens. */
export function countOmitted(plan: Formattable): number {
  const { omitted, shortened } = formatWithin(plan)
  return omitted + shortened
}

function formatWithin({ summary, changes, environments }: Formattable) {
  let message = [summary, formatAffected(environments), ...(changes.length === 0 ? ['Nothing changes.'] : [])].join(
    '\n'
  )
  let [shown, shortened] = [0, 0]
  let section: string | undefined
  const isSectioned = changes.some(({ environment }) => environment !== undefined)
  for (const change of changes.slice(0, 2 * MAX_NAMES)) {
    const heading = headingOf(change, environments)
    const { text, isComplete } = formatChange(change)
    const lines = isSectioned && heading !== section ? `${heading}:\n  ${text}` : isSectioned ? `  ${text}` : text
    if (message.length + lines.length > MAX_MESSAGE) break
    message += `\n${lines}`
    section = heading
    shown++
    if (!isComplete) shortened++
  }
  return { message, omitted: changes.length - shown, shortened }
}

/** Formats `Affects users in production (live), staging.` Production comes first, so it is never cut off. */
function formatAffected(environments: Plan['environments']): string {
  if (environments.length === 0) return 'Affects no users.'
  const sorted = productionFirst(environments)
  const names = sorted
    .slice(0, MAX_NAMES)
    .map((environment) => `${formatKey(environment.key)}${isProtected(environment) ? ' (live)' : ''}`)
    .join(', ')
  const more = sorted.length > MAX_NAMES ? ` and ${sorted.length - MAX_NAMES} more environments` : ''
  return `Affects users in ${names}${more}.`
}

/** Returns the heading of a change. The feature is off in environments that are not affected. */
function headingOf({ environment }: Change, affected: Plan['environments']): string {
  if (environment === undefined) return 'In every environment'
  const isAffected = affected.some(({ key }) => key === environment)
  return `In ${formatKey(environment)}${isAffected ? '' : ' (off)'}`
}

/** Quotes a key unless it consists of safe characters. */
function formatKey(key: string): string {
  return /^[\w.-]+$/.test(key) ? key : formatQuoted(key)
}

interface Formatted {
  readonly text: string
  readonly isComplete: boolean
}

/** Formats a change: `+` is added, `-` is removed, `~` is modified. */
function formatChange({ path, label = path, from, to, fromText, toText, isServedNow }: Change): Formatted {
  const name = label === '' ? path : label
  const line = (text: string, value: Formatted) => ({ ...value, text: `${text}: ${value.text}` })
  if (isServedNow) return line(`+ ${name}, served from now on`, formatValue(to, toText))
  if (from === undefined) return line(`+ ${name}`, formatValue(to, toText))
  // A removed value has no further effect, so it may be shortened.
  if (to === undefined) return { ...line(`- ${name}`, formatValue(from, fromText)), isComplete: true }
  if (fromText === undefined || toText === undefined) return line(`~ ${name}`, formatDifference(from, to))
  const [before, after] = [formatValue(from, fromText), formatValue(to, toText)]
  return line(`~ ${name}`, {
    text: `${before.text} → ${after.text}`,
    isComplete: before.isComplete && after.isComplete
  })
}

/** The longest value, in characters. A longer one counts as incomplete, since its end is hidden. */
const MAX_VALUE = 1500

function formatValue(value: unknown, text: string = JSON.stringify(value) ?? ''): Formatted {
  return formatPart(text, 0, 0)
}

/** Formats the difference of two values, without their common prefix and suffix. */
function formatDifference(from: unknown, to: unknown): Formatted {
  const [a, b] = [JSON.stringify(from) ?? '', JSON.stringify(to) ?? '']
  const shorter = Math.min(a.length, b.length)
  let begin = 0
  while (begin < shorter && a[begin] === b[begin]) begin++
  let end = 0
  while (end < shorter - begin && a.at(-1 - end) === b.at(-1 - end)) end++
  const [before, after] = [a, b].map((json) => formatPart(json, omittedLength(begin), omittedLength(end)))
  return { text: `${before?.text} → ${after?.text}`, isComplete: Boolean(before?.isComplete && after?.isComplete) }
}

/** Returns how much of a common prefix or suffix to omit. Some of it stays as context. */
function omittedLength(common: number): number {
  return common < 100 ? 0 : common - 50
}

function formatPart(text: string, begin: number, end: number): Formatted {
  const rest = text.slice(begin, text.length - end)
  const excess = rest.length - MAX_VALUE
  const last = excess > 0 ? `… (${excess} more characters)` : end > 0 ? '…' : ''
  return {
    text: escapeInvisibleCharacters(`${begin > 0 ? '…' : ''}${rest.slice(0, MAX_VALUE)}${last}`),
    isComplete: excess <= 0
  }
}
