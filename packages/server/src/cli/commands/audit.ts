import { type AuditVerification, Sha256 } from '@burgee/contract/schemas'
import { UsageError } from '@burgee/kit/settings'
import { verifyAnchors } from '../../access/anchors/verifyAnchors.ts'
import { iterateEntries } from '../../access/audit/iterateEntries.ts'
import { verifyAuditLog } from '../../access/audit/verifyChain.ts'
import { type AuditLog, HistoryError } from '../../storage/auditLog.ts'
import { StoreOpenError } from '../../storage/store.ts'
import { formatAnchors, readAnchors } from '../anchors.ts'
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
      },
      anchors: {
        variable: false,
        placeholder: 'file',
        help: 'File with signed heads that the log must contain: anchors that the server posted, or lines of its log.',
        parse: (text: string) => text
      },
      anchorKey: {
        variable: false,
        placeholder: 'file',
        help: 'File with the public key of the anchors, in PEM. Without it, their signatures are not checked.',
        parse: (text: string) => text
      }
    },
    run: async ({ settings: { head, anchors, anchorKey } }, { log, print }) => {
      if (anchorKey !== '' && anchors === '') throw new UsageError('--anchor-key needs --anchors')
      const organization = organizationKey(log)
      const given = anchors === '' ? undefined : await readAnchors(anchors, anchorKey, organization)
      const verification = await verifyAuditLog(log, organization, head || undefined)
      for (const line of formatVerification(verification)) print(line)
      if (!given) return verification.isIntact ? 0 : 1
      const anchored = await verifyAnchors(iterateEntries(log, organization), given)
      print(formatAnchors(anchored))
      return verification.isIntact && !anchored.mismatch ? 0 : 1
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

function formatVerification({ uncounted, ...verification }: AuditVerification): readonly string[] {
  const result = formatResult(verification)
  if (!uncounted) return [result]
  const { bytes, lines } = uncounted
  return [
    result,
    `beyond the recorded end: ${bytes} bytes (${lines} ${lines === 1 ? 'line' : 'lines'}) in the history; an older db.json was put in place, or another program added them`
  ]
}

function formatResult({ isIntact, entries, head, broken }: AuditVerification): string {
  if (isIntact || !broken) return `intact: ${entries} entries${head === undefined ? '' : `, head ${head}`}`
  const { _id, position, date, reason } = broken
  const names = [_id === undefined ? '' : `id ${_id}`, date ?? ''].filter(Boolean).join(', ')
  const entry = `${position === undefined ? 'an entry' : `entry ${position}`}${names === '' ? '' : ` (${names})`}`
  return `broken at ${entry}: ${reason}`
}
