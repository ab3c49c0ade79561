import { type AuditVerification, Sha256 } from '@burgee/contract/schemas'
import { iterateEntries } from '../../access/audit/iterateEntries.ts'
import { verifyAuditLog } from '../../access/audit/verifyChain.ts'
import { type AuditLog, HistoryError } from '../../storage/auditLog.ts'
import { StoreOpenError } from '../../storage/store.ts'
import { auditLogCommand } from '../kinds/auditLogCommand.ts'

/** `burgee-server audit …` */
export const auditCommands = [
  auditLogCommand({
    name: 'audit verify',
    summary: 'Check the hash chain of the audit log, and print the first broken entry.',
    settings: {
      head: {
        variable: false,
        placeholder: 'hash',
        help: 'Hash that the log must contain, from an earlier check: 64 hexadecimal characters.',
        parse: (text: string) => (text === '' || Sha256.safeParse(text).success ? text : undefined)
      }
    },
    run: async ({ settings: { head } }, { log, print }) => {
      const verification = await verifyAuditLog(log, organizationKey(log), head || undefined)
      print(formatVerification(verification))
      return verification.isIntact ? 0 : 1
    }
  }),
  auditLogCommand({
    name: 'audit export',
    summary: 'Print all entries of the audit log, oldest first, one JSON object per line.',
    settings: {},
    run: async (_given, { log, print }) => {
      try {
        for await (const entry of iterateEntries(log, organizationKey(log))) print(JSON.stringify(entry))
        return 0
      } catch (cause) {
        if (!(cause instanceof HistoryError)) throw cause
        throw new StoreOpenError(`the export is incomplete: ${cause.message}; restore the file from a backup`, {
          cause
        })
      }
    }
  })
]

/** Returns the key of the store's only organization; empty if no server has ever opened the store. */
function organizationKey({ organizations: [organization] }: AuditLog): string {
  return organization?.key ?? ''
}

function formatVerification({ isIntact, entries, head, broken }: AuditVerification): string {
  if (isIntact || !broken) return `intact: ${entries} entries${head === undefined ? '' : `, head ${head}`}`
  const { _id, position, date, reason } = broken
  const names = [_id === undefined ? '' : `id ${_id}`, date ?? ''].filter(Boolean).join(', ')
  const entry = `${position === undefined ? 'an entry' : `entry ${position}`}${names === '' ? '' : ` (${names})`}`
  return `broken at ${entry}: ${reason}`
}
