import { type AuditVerification, Sha256 } from '@burgee/contract/schemas'
import { iterateEntries } from '../../access/audit/iterateEntries.ts'
import { verifyAuditLog } from '../../access/audit/verifyChain.ts'
import { type AuditLog, HistoryError } from '../../storage/auditLog.ts'
import { StoreOpenError } from '../../storage/store.ts'
import { type AuditLogCommand, CommandError } from '../kit/command.ts'
import { assertNoArguments, findTextOption } from '../kit/commandArguments.ts'

/** The commands about the audit log. */
export const auditCommands: readonly AuditLogCommand[] = [
  {
    name: 'audit verify',
    usage: '[--head <hash>]',
    summary: 'Check that nobody has tampered with the audit log, and say where they have.',
    flags: { head: { type: 'string' } },
    opens: 'auditLog',
    run: async ({ log, print }, given) => {
      assertNoArguments(given)
      const verification = await verifyAuditLog(log, organizationKey(log), parseHash(findTextOption(given, 'head')))
      print(formatVerification(verification))
      return verification.isIntact ? 0 : 1
    }
  },
  {
    name: 'audit export',
    usage: '',
    summary: 'Print every entry of the audit log, the oldest first, one JSON object to a line.',
    opens: 'auditLog',
    run: async ({ log, print }, given) => {
      assertNoArguments(given)
      try {
        for await (const entry of iterateEntries(log, organizationKey(log))) print(JSON.stringify(entry))
        return 0
      } catch (cause) {
        if (!(cause instanceof HistoryError)) throw cause
        throw new StoreOpenError(`the export ends too early: ${cause.message}; put back a copy from a backup`, {
          cause
        })
      }
    }
  }
]

/** The key of the one organization of a store; a store that nobody has started a server on has none yet. */
function organizationKey({ organizations: [organization] }: AuditLog): string {
  return organization?.key ?? ''
}

function parseHash(head: string | undefined): string | undefined {
  if (head === undefined || Sha256.safeParse(head).success) return head
  throw new CommandError(`--head should be a hash of 64 hexadecimal characters, got ${JSON.stringify(head)}`)
}

/** A line about what a check found. */
function formatVerification({ isIntact, entries, head, broken }: AuditVerification): string {
  if (isIntact || !broken) return `intact: ${entries} entries${head === undefined ? '' : `, head ${head}`}`
  const { _id, position, date, reason } = broken
  const names = [_id === undefined ? '' : `id ${_id}`, date ?? ''].filter(Boolean).join(', ')
  const entry = `${position === undefined ? 'an entry' : `entry ${position}`}${names === '' ? '' : ` (${names})`}`
  return `broken at ${entry}: ${reason}`
}
