import type { ClaimCondition } from '@burgee/contract/schemas'
import type { Claims } from './subjectToken.ts'

/** Whether claims meet all conditions. */
export function meetsConditions(claims: Claims, conditions: readonly ClaimCondition[]): boolean {
  return conditions.every((condition) => isMet(claims, condition)) && !isPrivilegedForkEvent(claims, conditions)
}

function isMet(claims: Claims, condition: ClaimCondition): boolean {
  const text = textOf(claims, condition.claim)
  if (text === undefined) return false
  switch (condition.op) {
    case 'equals':
      return text === condition.value
    case 'oneOf':
      return condition.value.includes(text)
    case 'glob':
      return matchesGlob(text, condition.value)
  }
}

/** Returns a claim as text; `undefined` if it is missing, or has another type. */
export function textOf(claims: Claims, name: string): string | undefined {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined
  if (typeof value === 'string') return value
  return typeof value === 'boolean' || typeof value === 'number' ? String(value) : undefined
}

/** Whether a text matches a pattern in which `*` matches any characters except `/`. */
function matchesGlob(text: string, pattern: string): boolean {
  const [parts, patterns] = [text.split('/'), pattern.split('/')]
  return parts.length === patterns.length && patterns.every((each, index) => matchesSegment(parts[index] ?? '', each))
}

/** Searches the literals of a pattern from left to right, so the match takes linear time, without backtracking. */
function matchesSegment(text: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*')
  const last = others.pop()
  if (last === undefined) return text === pattern
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  const end = text.length - last.length
  for (const literal of others) {
    const found = text.indexOf(literal, at)
    if (found === -1 || found + literal.length > end) return false
    at = found + literal.length
  }
  return at <= end
}

/**
 * Whether the job runs, or may run, on `pull_request_target`, which gives a pull request from a fork the rights of the
 * repository, although no condition allows this event explicitly.
 */
function isPrivilegedForkEvent(claims: Claims, conditions: readonly ClaimCondition[]): boolean {
  const event = Object.hasOwn(claims, 'event_name') ? claims.event_name : undefined
  // A value of another type, such as a list, could contain this event.
  if (event === undefined || (typeof event === 'string' && event !== 'pull_request_target')) return false
  if (typeof event !== 'string') return true
  return !conditions.some(({ claim, op }) => claim === 'event_name' && op !== 'glob')
}
