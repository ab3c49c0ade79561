import { DEFAULT_PER_PAGE } from '@burgee/contract/schemas'
import type { EditRunner } from '../../../access/audit/edit.ts'
import { assertOwner } from '../../../access/permissions/assertOwner.ts'
import { createTrust } from '../../../identity/workloads/trusts/createTrust.ts'
import { getTrust } from '../../../identity/workloads/trusts/getTrust.ts'
import { removeTrust } from '../../../identity/workloads/trusts/removeTrust.ts'
import { toWorkloadTrust } from '../../../identity/workloads/trusts/toWorkloadTrust.ts'
import { updateTrust } from '../../../identity/workloads/trusts/updateTrust.ts'
import { listWorkloadTokens, revokeWorkloadToken } from '../../../identity/workloads/trusts/workloadTokens.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import type { StoredWorkloadTrust } from '../../../storage/resources/workload.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'
import { toListQuery } from '../shared/toListQuery.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly now: () => number
}

type Operations =
  | 'createWorkloadTrust'
  | 'listWorkloadTrusts'
  | 'getWorkloadTrust'
  | 'updateWorkloadTrust'
  | 'deleteWorkloadTrust'
  | 'listWorkloadTokens'
  | 'revokeWorkloadToken'

/** Handlers of the trusts in CI systems, and of the tokens that were issued through them. */
export function workloadTrusts(dependencies: Dependencies): Pick<Handlers, Operations> {
  const { store, edit } = dependencies
  return {
    createWorkloadTrust: async ({ body }, caller) => {
      return toWorkloadTrust(await edit(caller, (change) => createTrust(change, body)))
    },

    listWorkloadTrusts: async ({ query }, caller) => {
      assertOwner(caller)
      const where = { _organization: caller.organization }
      const page = toListQuery<StoredWorkloadTrust>(query, where)
      const { items, count } = await store.collection('workloadTrusts').list(page)
      return { items: items.map(toWorkloadTrust), count }
    },

    getWorkloadTrust: async ({ params }, caller) => {
      assertOwner(caller)
      return toWorkloadTrust(await getTrust(store, params.trust, caller))
    },

    updateWorkloadTrust: async ({ params, body }, caller) => {
      return toWorkloadTrust(await edit(caller, (change) => updateTrust(change, params.trust, body)))
    },

    deleteWorkloadTrust: ({ params }, caller) => edit(caller, (change) => removeTrust(change, params.trust)),

    listWorkloadTokens: async ({ params, query: { page = 1, perPage = DEFAULT_PER_PAGE } }, caller) => {
      const tokens = await listWorkloadTokens(dependencies, caller, params.trust)
      return { items: tokens.slice((page - 1) * perPage, page * perPage), count: tokens.length }
    },

    revokeWorkloadToken: ({ params }, caller) => revokeWorkloadToken(dependencies, caller, params)
  }
}
