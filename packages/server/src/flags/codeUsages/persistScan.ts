import type { CodeScan, UpdateCodeUsages } from '@burgee/contract/schemas'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { newRecordFields } from '../../storage/newRecordFields.ts'
import type { StoredCodeScan, StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import { isDefaultName } from './currentScans.ts'

/** Replaces the scan of a branch, and removes the oldest scans above the limit of a project. */
export async function persistScan(
  store: Store,
  { _id: _project }: Pick<StoredProject, '_id'>,
  { isDefaultBranch, variables, dynamic = [], source, repo, branch, commit }: UpdateCodeUsages,
  { ids, now }: { readonly ids: IdGenerator; readonly now: () => number }
): Promise<StoredCodeScan> {
  const scans = store.collection('codeScans')
  const before = await scans.get({ _project, repo, branch })
  const fields = newRecordFields(now(), ids)
  if (before) await scans.remove(before._id)
  const { items } = await scans.list({ where: { _project }, sortBy: 'updatedAt' })
  for (const { _id } of items.slice(0, Math.max(0, items.length + 1 - MAX_SCANS))) await scans.remove(_id)
  return scans.insert({
    ...fields,
    ...(before && { _id: before._id, createdAt: before.createdAt }),
    _project,
    source,
    repo,
    branch,
    ...(commit !== undefined && { commit }),
    isDefaultBranch: isDefaultBranch ?? isDefaultName(branch),
    variables,
    dynamic
  })
}

/** The number of branches of a project that are kept. */
const MAX_SCANS = 100

/** Returns a scan as the API summarizes it. */
export function toCodeScan(
  { _id, source, repo, branch, commit, isDefaultBranch, updatedAt, variables, dynamic }: StoredCodeScan,
  known: ReadonlySet<string>
): CodeScan {
  return {
    _id,
    source,
    repo,
    branch,
    ...(commit !== undefined && { commit }),
    isDefaultBranch,
    scannedAt: updatedAt,
    references: variables.reduce((total, { references }) => total + references.length, 0),
    dynamic: dynamic.length,
    unknown: [...new Set(variables.map(({ key }) => key))].filter((key) => !known.has(key)).sort()
  }
}
