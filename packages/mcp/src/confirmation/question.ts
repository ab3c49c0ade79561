import { isProtected } from '@burgee/contract/schemas'
import type { ElicitInputParams } from '@modelcontextprotocol/server'
import { bothTold, NAMED, quoted, quotedList, toldWhole } from '../quoted.ts'
import { type Change, type Effect, inProductionFirst } from './effect.ts'

/** How long a question is at most, in characters: what it says first is never left out. */
export const QUESTION_LENGTH = 6000

/** What a person is asked before a call is done. Of something that is deleted they type the key. */
export function question({ deletes, ...effect }: Effect): ElicitInputParams {
  if (deletes === undefined) {
    const confirm = { type: 'boolean', title: 'Yes, make this change', default: false } as const
    return {
      message: told(effect),
      requestedSchema: { type: 'object', properties: { confirm }, required: ['confirm'] }
    }
  }
  const properties = {
    confirm: { type: 'boolean', title: 'Yes, delete it from every environment', default: false },
    key: { type: 'string', title: `Type its key to be sure: ${quoted(deletes)}` }
  } as const
  const message = `THIS CANNOT BE UNDONE.\n${told(effect)}`
  return { message, requestedSchema: { type: 'object', properties, required: ['confirm', 'key'] } }
}

/** What is said of an effect. */
type Told = Pick<Effect, 'summary' | 'changes' | 'environments'>

/** What would change, and in how many environments users could notice; all that people wrote is quoted. */
export function told(effect: Told): string {
  const { message, left } = toldInPart(effect)
  return left === 0 ? message : `${message}\n- and ${left} more ${left === 1 ? 'change' : 'changes'}, not shown here`
}

/** How many changes a question has no room for, or tells in part only. */
export function leftOut(effect: Told): number {
  const { left, cut } = toldInPart(effect)
  return left + cut
}

function toldInPart({ summary, changes, environments }: Told) {
  const nothing = changes.length === 0 ? ['Nothing would be different.'] : []
  let message = [summary, reachOf(environments), ...nothing].join('\n')
  let named = 0
  let cut = 0
  for (const { text, isWhole } of changes.slice(0, 2 * NAMED).map(lineOf)) {
    if (message.length + text.length > QUESTION_LENGTH) break
    message += `\n${text}`
    named++
    if (!isWhole) cut++
  }
  return { message, left: changes.length - named, cut }
}

/** How many environments a change reaches, and which; those that serve production come first and are counted by themselves. */
function reachOf(environments: Effect['environments']): string {
  if (environments.length === 0) return 'It reaches users in no environment.'
  const { length: serving } = environments.filter(isProtected)
  const names = quotedList(inProductionFirst(environments).map(({ key }) => key))
  const count = `${environments.length} ${environments.length === 1 ? 'environment' : 'environments'}`
  const production = serving === 0 ? 'None of them serves' : `${serving} of them ${serving === 1 ? 'serves' : 'serve'}`
  return `It reaches users in ${count}: ${names}. ${production} PRODUCTION.`
}

function lineOf({ place, from, to, isServedNow }: Change) {
  const line = (words: string, { text, isWhole }: { readonly text: string; readonly isWhole: boolean }) => {
    return { text: `- ${place}: ${words}${text}`, isWhole }
  }
  if (isServedNow) return line('', toldWhole(to))
  if (from === undefined) return line('new, ', toldWhole(to))
  // What goes away decides nothing any more by what it was.
  if (to === undefined) return { ...line('removed, was ', toldWhole(from)), isWhole: true }
  return line('', bothTold(from, to))
}
