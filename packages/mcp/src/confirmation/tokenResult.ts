import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Plan } from '../plan/plan.ts'
import { toCallToolResult } from '../results/callToolResult.ts'
import { formatQuoted } from '../results/formatQuoted.ts'
import { formatPlan } from './formatPlan.ts'

interface ConfirmationToken {
  readonly confirmationToken: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** Returns the result for clients without elicitation: the plan, and the token with which the same call proceeds. */
export function toTokenResult(
  toolName: string,
  plan: Plan,
  { confirmationToken, expiresAt }: ConfirmationToken
): CallToolResult {
  const { environments, deletes } = plan
  const consent = deletes === undefined ? 'a clear yes' : `a clear yes to deleting ${formatQuoted(deletes)} permanently`
  const show = deletes === undefined ? 'Show' : 'THIS CANNOT BE UNDONE: say so, name what is lost, and show'
  return toCallToolResult({
    result: {
      message: `Nothing is ${deletes === undefined ? 'changed' : 'deleted'} yet.\n${formatPlan(plan)}`,
      confirmationRequired: true,
      environments,
      confirmationToken,
      expiresAt: new Date(expiresAt).toISOString(),
      next: `${show} the person this message, and wait for their answer. Only after ${consent}, call ${toolName} again with the same arguments and this confirmationToken.`
    }
  })
}
