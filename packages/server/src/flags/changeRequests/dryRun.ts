import { createHash } from 'node:crypto'
import type { AuditLogChange } from '@burgee/contract/schemas'
import stringify from 'fast-json-stable-stringify'
import type { Edit } from '../../access/audit/edit.ts'
import { readFeatureRevision } from '../../access/audit/revision.ts'
import { rollBack } from '../../access/audit/rollBack.ts'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'

/** The outcome of a dry run. */
export interface DryRunResult<Result> {
  readonly result: Result
  /** The changes of the feature; without a feature, all changes. */
  readonly changes: readonly AuditLogChange[]
  /** Returns the SHA-256, in hexadecimal, of all changes of all resources. */
  readonly hashEffect: () => string
}

interface DryRunOptions {
  readonly project: StoredProject
  readonly feature?: StoredFeature | undefined
  /** The id of the caller that the changes are attributed to. */
  readonly maker: string
}

/**
 * Runs an edit and rolls it back. The result depends only on the edit, not on its caller or its time. Fails with the
 * error of the edit.
 */
export async function dryRun<Result>(
  change: Edit,
  { project, feature, maker }: DryRunOptions,
  work: (part: Edit) => Promise<Result>
): Promise<DryRunResult<Result>> {
  const recorded: { readonly _feature?: string | undefined; readonly changes: readonly AuditLogChange[] }[] = []
  const recordChanges: Edit['recordChanges'] = ({ _feature }, changes) => void recorded.push({ _feature, changes })
  const caller = { ...change.caller, id: maker, source: 'api' } as const
  const result = await rollBack<Store, Result>(
    (part) => change.store.transaction(part),
    (store) =>
      work({
        ...change,
        ...deterministicFields(feature?.updatedAt ?? project.createdAt),
        caller,
        store,
        recordChanges,
        readFeatureRevision: (_feature) => readFeatureRevision(store, _feature)
      })
  )
  return {
    result,
    changes: recorded.filter(({ _feature }) => !feature || _feature === feature._id).flatMap(({ changes }) => changes),
    hashEffect: () => createHash('sha256').update(stringify(recorded)).digest('hex')
  }
}

/** Returns a time and ids that are the same in every run. These ids are never stored. */
function deterministicFields(at: string): Pick<Edit, 'at' | 'id' | 'recordFields'> {
  let count = 0
  const id = () => {
    const number = count.toString(16).padStart(12, '0')
    count += 1
    return `ffffffffffff${number}`
  }
  return { at, id, recordFields: () => ({ _id: id(), createdAt: at, updatedAt: at }) }
}
