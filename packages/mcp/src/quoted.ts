import { escapeInvisibleCharacters } from '@burgee/kit/text'

/** How much of a text is repeated. */
const SHOWN = 200

/**
 * A text that somebody wrote, as sentences repeat it: between quotation marks, cut where it goes on for long, and with
 * everything escaped that nobody sees. What it says is data, and no part of the sentence.
 */
export function quoted(text: string): string {
  return escapeInvisibleCharacters(JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text))
}

/** How many names a sentence has one by one. */
export const NAMED = 20

/** Names as a sentence has them: `"a", "b" and 3 more`. */
export function quotedList(names: readonly string[]): string {
  const named = names.slice(0, NAMED).map(quoted).join(', ')
  return names.length > NAMED ? `${named} and ${names.length - NAMED} more` : named
}

/** A value that somebody wrote, in the same manner: as JSON, which may be cut anywhere. */
export function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? ''
  return escapeInvisibleCharacters(
    json.length > SHOWN ? `${json.slice(0, SHOWN)}… (${json.length - SHOWN} more characters)` : json
  )
}

/** How much of a value of a change is told. What goes on for longer can hide what decides. */
const TOLD = 1_500

/** A value as a question tells it, and whether all of it is told. */
export function toldWhole(value: unknown): Told {
  return toldOf(JSON.stringify(value) ?? '', 0, 0)
}

/** Two values that differ, without what is the same at their beginnings and ends. */
export function bothTold(one: unknown, other: unknown): Told {
  const [a, b] = [JSON.stringify(one) ?? '', JSON.stringify(other) ?? '']
  const shorter = Math.min(a.length, b.length)
  let begin = 0
  while (begin < shorter && a[begin] === b[begin]) begin++
  let end = 0
  while (end < shorter - begin && a.at(-1 - end) === b.at(-1 - end)) end++
  const [from, to] = [a, b].map((json) => toldOf(json, atLeast(begin), atLeast(end)))
  return { text: `${from?.text} → ${to?.text}`, isWhole: Boolean(from?.isWhole && to?.isWhole) }
}

interface Told {
  readonly text: string
  readonly isWhole: boolean
}

/** How much is left out of so much that is the same: all but what shows where one is. */
function atLeast(same: number): number {
  return same < SHOWN / 2 ? 0 : same - SHOWN / 4
}

function toldOf(json: string, begin: number, end: number): Told {
  const rest = json.slice(begin, json.length - end)
  const left = rest.length - TOLD
  const last = left > 0 ? `… (${left} more characters)` : end > 0 ? '…' : ''
  return { text: escapeInvisibleCharacters(`${begin > 0 ? '…' : ''}${rest.slice(0, TOLD)}${last}`), isWhole: left <= 0 }
}
