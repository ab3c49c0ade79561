import type { StoredCodeScan, StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'

/**
 * Returns the scans that count for a project, one for each repository: that of the default branch, else the latest.
 */
export async function readCurrentScans(
  store: Store,
  { _id: _project }: Pick<StoredProject, '_id'>
): Promise<readonly StoredCodeScan[]> {
  const { items } = await store.collection('codeScans').list({ where: { _project } })
  return selectCurrent(items)
}

/** Selects the scans that count among all of a project. */
export function selectCurrent(scans: readonly StoredCodeScan[]): readonly StoredCodeScan[] {
  const byRepo = new Map<string, StoredCodeScan>()
  for (const scan of scans) {
    const other = byRepo.get(scan.repo)
    if (!other || rank(scan) > rank(other)) byRepo.set(scan.repo, scan)
  }
  return [...byRepo.values()]
}

/** Dates in ISO 8601 are ordered by code unit. */
function rank({ isDefaultBranch, updatedAt }: StoredCodeScan): string {
  return `${isDefaultBranch ? 1 : 0} ${updatedAt}`
}

/** Whether a branch is the default branch if its scan does not tell. */
export function isDefaultName(branch: string): boolean {
  return /^(main|master|trunk)$/.test(branch)
}
