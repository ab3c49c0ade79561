import { createHash } from 'node:crypto'
import type { AuditLogChange } from '@burgee/contract/schemas'
import stringify from 'fast-json-stable-stringify'
import type { Edit } from '../../access/audit/edit.ts'
import type { StoredFeature } from '../../storage/resources.ts'

/** What an edit would do. */
export interface DryRunResult {
  /** What it would change of the feature. */
  readonly changes: readonly AuditLogChange[]
  /** What tells all that it would change, of whatever, from everything else: SHA-256, in hexadecimal. */
  readonly effect: string
}

interface DryRunOptions {
  readonly feature: StoredFeature
  /** Who wants it. */
  readonly maker: string
}

/**
 * What an edit would do, without doing it. Whoever rehearses it, and whenever: as long as it would do the same, the
 * rehearsal is the same. Fails as the edit would.
 */
export async function dryRun(
  change: Edit,
  { feature, maker }: DryRunOptions,
  work: (part: Edit) => Promise<unknown>
): Promise<DryRunResult> {
  const notes: { readonly _feature?: string | undefined; readonly changes: readonly AuditLogChange[] }[] = []
  const note: Edit['recordChanges'] = ({ _feature }, changes) => void notes.push({ _feature, changes })
  const caller = { ...change.caller, id: maker, source: 'api' } as const
  const end = new Error('the rehearsal is over')
  await change.store
    .transaction(async (store) => {
      await work({ ...change, ...deterministicStamps(feature.updatedAt), caller, store, recordChanges: note })
      // A part of a transaction that fails leaves nothing behind.
      throw end
    })
    .catch((error) => {
      if (error !== end) throw error
    })
  return {
    changes: notes.filter(({ _feature }) => _feature === feature._id).flatMap(({ changes }) => changes),
    effect: createHash('sha256').update(stringify(notes)).digest('hex')
  }
}

/** A moment and ids that are the same each time. Nothing of these ids is ever kept. */
function deterministicStamps(at: string): Pick<Edit, 'at' | 'id' | 'recordFields'> {
  let count = 0
  const id = () => {
    const number = count.toString(16).padStart(12, '0')
    count += 1
    return `ffffffffffff${number}`
  }
  return { at, id, recordFields: () => ({ _id: id(), createdAt: at, updatedAt: at }) }
}
