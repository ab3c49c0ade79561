import type { AppliedChangeRequest, AuditLogChange } from '@burgee/contract/schemas'
import { conflict } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Sandbox, SandboxTask } from '../../lib/sandbox/sandbox.ts'
import { toIsoString } from '../../lib/time.ts'
import { newRecordFields } from '../../storage/newRecordFields.ts'
import type { FeatureUndo, StoredAuditEntry } from '../../storage/resources/history.ts'
import type { RecordFields } from '../../storage/resources/recordFields.ts'
import type { Collection, Store } from '../../storage/store.ts'
import { assertWithinEnvironments } from '../permissions/assertWithinEnvironments.ts'
import type { TokenCaller } from '../permissions/caller.ts'
import { appendEntries } from './appendEntries.ts'
import { findLatestEntry } from './listAuditEntries.ts'
import { mergeUndo } from './mergeUndo.ts'
import { changesFeature, readFeatureRevision } from './revision.ts'

/** One audited change: a transaction whose audit entry becomes durable together with its writes. */
export interface Edit {
  /** The store of the transaction. */
  readonly store: Store
  readonly caller: TokenCaller
  /** The time of the change, ISO 8601. */
  readonly at: string
  /** Creates an id. */
  readonly id: () => string
  /** Creates a secret. */
  readonly secret: () => string
  /** Creates random bytes. */
  readonly bytes: (size: number) => Buffer
  /** Creates the members that every new resource starts with. */
  readonly recordFields: () => RecordFields
  /**
   * Records changes of a project and feature. Changes of the same feature, or of none, are combined into one entry.
   * @throws {HttpError} 403 for changes outside of the environments that the caller is limited to.
   */
  readonly recordChanges: (subject: EditScope, changes: readonly AuditLogChange[]) => void
  /** Returns the revision of a feature, which covers the changes that this edit has recorded. */
  readonly readFeatureRevision: (_feature: string) => Promise<string>
  /**
   * Returns the result of a task of the sandbox. Transactions are serialized and must not wait for tasks: if the result
   * is not known, this aborts the transaction, and the runner repeats the work when it is. So the work must not have
   * other effects than writes to the store.
   */
  readonly compute: (task: SandboxTask) => unknown
}

/** The project and feature that a change belongs to. */
export interface EditScope {
  readonly _project?: string
  readonly _feature?: string
  /** The id of the entry, if something refers to it. */
  readonly _id?: string
  /** The change request that is applied. */
  readonly changeRequest?: AppliedChangeRequest
  readonly undo?: FeatureUndo
}

/** Runs `work` as one audited change. Either all writes and the entry are stored, or nothing is. */
export type EditRunner = <T>(caller: TokenCaller, work: (edit: Edit) => Promise<T>) => Promise<T>

interface Dependencies {
  readonly store: Store
  /** Runs the tasks of edits. Edits outside of a server have none. */
  readonly sandbox?: Pick<Sandbox, 'run'>
  readonly ids: IdGenerator
  readonly now: () => number
}

/**
 * Creates the runner of audited changes. Work that records no change leaves no entry; work on several features leaves
 * one entry for each.
 */
export function createEditRunner({ sandbox, ...dependencies }: Dependencies): EditRunner {
  const runOnce = createTransactionRunner(dependencies)
  return async (caller, work) => {
    const results = new Map<string, unknown>()
    const compute: Edit['compute'] = (task) => {
      const key = JSON.stringify(task)
      if (results.has(key)) return results.get(key)
      throw new PendingTask(key, task)
    }
    while (results.size <= MAX_TASKS) {
      try {
        return await runOnce(caller, (edit) => work({ ...edit, compute }))
      } catch (error) {
        if (!(error instanceof PendingTask) || !sandbox) throw error
        results.set(error.key, await sandbox.run(caller.id, error.task))
      }
    }
    throw conflict('the data that the request changes was modified concurrently; try again')
  }
}

/** The maximum number of tasks of one edit. An edit has two or three; each concurrent change can add one. */
const MAX_TASKS = 10

/** Aborts a transaction that needs the result of a task. */
class PendingTask extends Error {
  override readonly name = 'PendingTask'
  readonly key: string
  readonly task: SandboxTask

  constructor(key: string, task: SandboxTask) {
    super(`${task.what} needs the sandbox`)
    this.key = key
    this.task = task
  }
}

type TransactionRunner = <T>(caller: TokenCaller, work: (edit: Omit<Edit, 'compute'>) => Promise<T>) => Promise<T>

function createTransactionRunner({ store, ids, now }: Omit<Dependencies, 'sandbox'>): TransactionRunner {
  return (caller, work) =>
    store.transaction(async (transaction) => {
      // Read when the work starts, not when it is queued: tokens issued in between must be older than a revocation.
      const moment = now()
      const at = toIsoString(moment)
      // Read before the work runs: the work may replace the organization with a state it read outside of this
      // transaction.
      const organization = await transaction.collection('organizations').get({ key: caller.organization })
      if (!organization) throw new Error(`organization "${caller.organization}" does not exist`)
      const pending = new Map<string | undefined, PendingEntry>()
      const recordFields = () => newRecordFields(moment, ids)
      const result = await work({
        store: transaction,
        caller,
        at,
        id: ids.id,
        secret: ids.secret,
        bytes: ids.bytes,
        recordFields,
        recordChanges: (scope, added) => {
          // Checked here because a dry run is rolled back before the entries are written.
          assertWithinEnvironments(caller, added)
          const { subject, changes } = pending.get(scope._feature) ?? { subject: {}, changes: [] }
          const undo = mergeUndo(subject.undo, scope.undo)
          const merged = { _id: ids.id(), ...subject, ...scope, ...(undo ? { undo } : {}) }
          pending.set(scope._feature, { subject: merged, changes: [...changes, ...added] })
        },
        readFeatureRevision: async (_feature) => {
          const entry = pending.get(_feature)
          const isChanged = entry !== undefined && changesFeature(entry.changes)
          return (isChanged ? entry.subject._id : undefined) ?? readFeatureRevision(transaction, _feature)
        }
      })
      const entries: StoredAuditEntry[] = []
      for (const { subject, changes } of pending.values()) {
        if (changes.length === 0) continue
        entries.push({
          ...recordFields(),
          ...subject,
          ...(await sequenceOf(subject, transaction.collection('auditEntries'))),
          _organization: caller.organization,
          _environments: [...new Set(changes.flatMap(({ _environments = [] }) => _environments))],
          idp_user: caller.id,
          actor: caller.actor,
          ...(caller.clientId === undefined ? {} : { clientId: caller.clientId }),
          source: caller.source,
          ...(caller.assistant === undefined ? {} : { assistant: caller.assistant }),
          ...(caller.workload === undefined ? {} : { workload: caller.workload }),
          ...(caller.address === undefined ? {} : { address: caller.address }),
          changes
        })
      }
      await appendEntries(transaction, organization, entries)
      return result
    })
}

interface PendingEntry {
  readonly subject: EditScope
  readonly changes: readonly AuditLogChange[]
}

/** Returns the sequence number of a new entry in the log of its feature; nothing for an entry without a feature. */
async function sequenceOf({ _feature }: EditScope, entries: Collection<StoredAuditEntry>) {
  if (_feature === undefined) return {}
  const latest = await findLatestEntry(entries, _feature)
  return { sequence: (latest?.sequence ?? 0) + 1 }
}
