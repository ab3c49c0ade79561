import type { AuditLogChange } from '@burgee/contract/schemas'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { toIsoString } from '../../lib/time.ts'
import { newRecordFields } from '../../storage/newRecordFields.ts'
import type { FeatureUndo, RecordFields, StoredAuditEntry } from '../../storage/resources.ts'
import type { Collection, Store } from '../../storage/store.ts'
import type { TokenCaller } from '../permissions/caller.ts'
import { appendEntries } from './appendEntries.ts'
import { findLatestEntry } from './listAuditEntries.ts'
import { mergeUndo } from './mergeUndo.ts'

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
  readonly recordFields: () => RecordFields
  /** Says what has changed, and of which project and feature; several notes about the same feature, or about none, come to one entry. */
  readonly recordChanges: (subject: EditScope, changes: readonly AuditLogChange[]) => void
}

/** What an edit is about. */
export interface EditScope {
  readonly _project?: string
  readonly _feature?: string
  readonly undo?: FeatureUndo
}

/** Runs `work` as one audited change: all of it is kept, with its entry, or nothing. */
export type EditRunner = <T>(caller: TokenCaller, work: (edit: Edit) => Promise<T>) => Promise<T>

interface Dependencies {
  readonly store: Store
  readonly ids: IdGenerator
  readonly now: () => number
}

/** Edits of a store. A work that notes nothing leaves no entry; one about several features leaves one for each of them. */
export function createEditRunner({ store, ids, now }: Dependencies): EditRunner {
  return (caller, work) => {
    const moment = now()
    const at = toIsoString(moment)
    return store.transaction(async (transaction) => {
      // Before the work, which may replace the organization by what it read of it elsewhere.
      const organization = await transaction.collection('organizations').get({ key: caller.organization })
      if (!organization) throw new Error(`there is no organization ${caller.organization} to make a change in`)
      const notes = new Map<string | undefined, Note>()
      const stamps = () => newRecordFields(moment, ids)
      const result = await work({
        store: transaction,
        caller,
        at,
        id: ids.id,
        recordFields: stamps,
        recordChanges: (about, made) => {
          const { subject, changes } = notes.get(about._feature) ?? { subject: {}, changes: [] }
          const undo = mergeUndo(subject.undo, about.undo)
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
      await appendEntries(transaction, organization, entries)
      return result
    })
  }
}

interface Note {
  readonly subject: EditScope
  readonly changes: readonly AuditLogChange[]
}

/** The place of a new entry in the log of its feature. */
async function placeOf({ _feature }: EditScope, entries: Collection<StoredAuditEntry>) {
  if (_feature === undefined) return {}
  const latest = await findLatestEntry(entries, _feature)
  return { sequence: (latest?.sequence ?? 0) + 1 }
}
