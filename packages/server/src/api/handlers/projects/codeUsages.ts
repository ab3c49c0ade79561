import type { CodeUsage } from '@burgee/contract/schemas'
import { getInProject, getProject } from '../../../access/lookup.ts'
import { selectCurrent } from '../../../flags/codeUsages/currentScans.ts'
import { persistScan, toCodeScan } from '../../../flags/codeUsages/persistScan.ts'
import { notFound } from '../../../lib/errors.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import type { StoredCodeScan } from '../../../storage/resources/project.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'

interface Dependencies {
  readonly store: Store
  readonly ids: IdGenerator
  readonly now: () => number
}

/** Handles code usages: the places in code that read variables. */
export function codeUsages({
  store,
  ids,
  now
}: Dependencies): Pick<Handlers, 'updateCodeUsages' | 'listCodeUsages' | 'deleteCodeUsages'> {
  return {
    updateCodeUsages: ({ params, body }, caller) =>
      store.transaction(async (transaction) => {
        const project = await getProject(transaction, params.project, caller)
        const scan = await persistScan(transaction, project, body, { ids, now })
        return toCodeScan(scan, await readKeys(transaction, { _project: project._id }))
      }),

    listCodeUsages: async ({ params, query }, caller) => {
      const project = await getProject(store, params.project, caller)
      const { page = 1, perPage = 100, current = false, variable, feature, repo, branch } = query
      const _feature =
        feature === undefined ? undefined : (await getInProject(store, 'features', project, feature, caller))._id
      const known = await readKeys(store, { _project: project._id })
      const wanted = _feature === undefined ? undefined : await readKeys(store, { _feature })
      const { items } = await store.collection('codeScans').list({ where: { _project: project._id } })
      const usages = (current ? selectCurrent(items) : items)
        .filter(
          (scan) => (repo === undefined || scan.repo === repo) && (branch === undefined || scan.branch === branch)
        )
        .flatMap((scan) => toUsages(scan, known))
        .filter(({ key }) => (variable === undefined || key === variable) && wanted?.has(key) !== false)
        .sort(inOrder)
      return { items: usages.slice((page - 1) * perPage, page * perPage), count: usages.length }
    },

    deleteCodeUsages: ({ params, query: { repo, branch } }, caller) =>
      store.transaction(async (transaction) => {
        const { _id: _project, key } = await getProject(transaction, params.project, caller)
        const where = { _project, repo, ...(branch !== undefined && { branch }) }
        const { items } = await transaction.collection('codeScans').list({ where })
        if (items.length === 0) {
          const scope = branch === undefined ? '' : `branch "${branch}" of `
          throw notFound(`there are no code usages of ${scope}repository "${repo}" in project "${key}"`)
        }
        for (const { _id } of items) await transaction.collection('codeScans').remove(_id)
      })
  }
}

async function readKeys(
  store: Store,
  where: { readonly _project: string } | { readonly _feature: string }
): Promise<ReadonlySet<string>> {
  const { items } = await store.collection('variables').list({ where })
  return new Set(items.map(({ key }) => key))
}

function toUsages(
  { source, repo, branch, commit, isDefaultBranch, updatedAt, variables }: StoredCodeScan,
  known: ReadonlySet<string>
): readonly CodeUsage[] {
  return variables.map(({ key, references }) => ({
    source,
    repo,
    branch,
    ...(commit !== undefined && { commit }),
    isDefaultBranch,
    scannedAt: updatedAt,
    key,
    isKnown: known.has(key),
    references
  }))
}

function inOrder(one: CodeUsage, other: CodeUsage): number {
  const [left, right] = [one, other].map(({ repo, branch, key }) => [repo, branch, key].join('\0'))
  return (left ?? '') < (right ?? '') ? -1 : 1
}
