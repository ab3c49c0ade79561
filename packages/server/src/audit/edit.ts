import type { AuditLogChange } from '@burgee/contract'
import type { TokenCaller } from '../caller.ts'
import type { Ids } from '../id.ts'
import { inUtc } from '../inUtc.ts'
import { stampsAt } from '../stamps.ts'
import type { FeatureUndo, Stamps, StoredAuditEntry } from '../store/resources.ts'
import type { Collection, Store } from '../store/store.ts'
import { append } from './append.ts'
import { combinedUndo } from './combinedUndo.ts'
import { latestEntry } from './entries.ts'

/** One change that somebody makes: a transaction, and the audit entry that becomes durable with it. */
export interface Edit {
  /** The store of the transaction. */
  readonly store: Store
  readonly caller: TokenCaller
  /** The moment of the change, ISO 8601. */
  readonly at: string
  /** A new id. */
  readonly id: () => string
  /** The members that every new resource begins with. */
  readonly stamps: () => Stamps
  /** Says what has changed, and of which project and feature; several notes about the same feature, or about none, come to one entry. */
  readonly note: (subject: EditSubject, changes: readonly AuditLogChange[]) => void
}

/** What an edit is about. */
export interface EditSubject {
  readonly _project?: string
  readonly _feature?: string
  readonly undo?: FeatureUndo
}

/** Runs `work` as one audited change: all of it is kept, with its entry, or nothing. */
export type MakeEdit = <T>(caller: TokenCaller, work: (edit: Edit) => Promise<T>) => Promise<T>

interface Dependencies {
  readonly store: Store
  readonly ids: Ids
  readonly now: () => number
}

/** Edits of a store. A work that notes nothing leaves no entry; one about several features leaves one for each of them. */
export function editsOf({ store, ids, now }: Dependencies): MakeEdit {
  return (caller, work) => {
    const moment = now()
    const at = inUtc(moment)
    return store.transaction(async (transaction) => {
      // Before the work, which may replace the organization by what it read of it elsewhere.
      const organization = await transaction.collection('organizations').get({ key: caller.organization })
      if (!organization) throw new Error(`there is no organization ${caller.organization} to make a change in`)
      const notes = new Map<string | undefined, Note>()
      const stamps = () => stampsAt(moment, ids)
      const result = await work({
        store: transaction,
        caller,
        at,
        id: ids.id,
        stamps,
        note: (about, made) => {
          const { subject, changes } = notes.get(about._feature) ?? { subject: {}, changes: [] }
          const undo = combinedUndo(subject.undo, about.undo)
          const whole = { ...subject, ...about, ...(undo ? { undo } : {}) }
          notes.set(about._feature, { subject: whole, changes: [...changes, ...made] })
        }
      })
      const entries: StoredAuditEntry[] = []
      for (const { subject, changes } of notes.values()) {
        if (changes.length === 0) continue
        entries.push({
          ...stamps(),
          ...subject,
          ...(await placeOf(subject, transaction.collection('auditEntries'))),
          _organization: caller.organization,
          _environments: [...new Set(changes.flatMap(({ _environments = [] }) => _environments))],
          idp_user: caller.id,
          actor: caller.actor,
          ...(caller.clientId === undefined ? {} : { clientId: caller.clientId }),
          source: caller.source,
          ...(caller.assistant === undefined ? {} : { assistant: caller.assistant }),
          changes
        })
      }
      await append(transaction, organization, entries)
      return result
    })
  }
}

interface Note {
  readonly subject: EditSubject
  readonly changes: readonly AuditLogChange[]
}

/** The place of a new entry in the log of its feature. */
async function placeOf({ _feature }: EditSubject, entries: Collection<StoredAuditEntry>) {
  if (_feature === undefined) return {}
  const latest = await latestEntry(entries, _feature)
  return { sequence: (latest?.sequence ?? 0) + 1 }
}
