import { isProtected } from '@burgee/contract/schemas'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { envelope } from '../answers/envelope.ts'
import { quoted } from '../quoted.ts'
import type { Change, Effect } from './effect.ts'
import { told } from './question.ts'

/** What lets the same call through, and until when (epoch milliseconds). */
interface Ticket {
  readonly confirmationToken: string
  readonly expiresAt: number
}

/** How long the changes are at most as data, in characters of JSON. */
const CHANGES_LENGTH = 20_000

/** What an assistant is answered whose client cannot ask the person: what would change, and what to do with it. */
export function tokenAnswer(
  toolName: string,
  effect: Effect,
  { confirmationToken, expiresAt }: Ticket
): CallToolResult {
  const { summary, environments, deletes } = effect
  const yes = deletes === undefined ? 'a clear yes' : `a clear yes to deleting ${quoted(deletes)} for good`
  const show = deletes === undefined ? 'Show' : 'THIS CANNOT BE UNDONE: say so, name what is lost, and show'
  const changes = first(effect.changes)
  const left = effect.changes.length - changes.length
  return envelope({
    result: {
      message: `Nothing is ${deletes === undefined ? 'changed' : 'deleted'} yet.\n${told(effect)}`,
      confirmationRequired: true,
      summary,
      changes,
      ...(left > 0 ? { changesLeftOut: left } : {}),
      environments,
      environmentsReached: environments.length,
      environmentsServingProduction: environments.filter(isProtected).length,
      confirmationToken,
      expiresAt: new Date(expiresAt).toISOString(),
      next: `${show} the person all of this, and wait for their answer. Only after ${yes}, call ${toolName} again with the same arguments and this confirmationToken.`
    }
  })
}

/** As many as there is room for. */
function first(changes: readonly Change[]): readonly Change[] {
  let length = 0
  return changes.filter((change) => {
    length += JSON.stringify(change).length
    return length <= CHANGES_LENGTH
  })
}
