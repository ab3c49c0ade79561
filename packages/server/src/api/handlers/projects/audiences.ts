import type { Audience } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { createdChange, deletedChange } from '../../../access/audit/changes.ts'
import type { EditRunner } from '../../../access/audit/edit.ts'
import { getInProject, getProject } from '../../../access/lookup.ts'
import type { ParseBody } from '../../../access/parseBody.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { formatAudienceUsage, listUsedAudiences, readAudienceUsage } from '../../../flags/audiences/audienceUsage.ts'
import {
  type AudienceOfProject,
  assertAudienceSize,
  listProjectAudiences,
  patchAudience,
  resolveReferences,
  updateAudience
} from '../../../flags/audiences/updateAudience.ts'
import { preconditionFailed } from '../../../lib/errors.ts'
import type { StoredAudience } from '../../../storage/resources/project.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers, Revised } from '../shared/handler.ts'
import { assertIfMatch, withRevision } from '../shared/revised.ts'
import { toListQuery } from '../shared/toListQuery.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly validate: ParseBody
}

type Operations =
  | 'createAudience'
  | 'listAudiences'
  | 'getAudience'
  | 'updateAudience'
  | 'deleteAudience'
  | 'getAudienceUsage'
  | 'patchAudience'

/** Handles audiences. */
export function audiences({ store, edit, validate }: Dependencies): Pick<Handlers, Operations> {
  return {
    createAudience: ({ params, body: { filters, ...members } }, caller) =>
      edit(caller, async ({ store, recordFields, recordChanges }) => {
        const project = await getProject(store, params.project, caller)
        const audience: StoredAudience = {
          ...recordFields(),
          _project: project._id,
          _createdBy: caller.id,
          source: caller.source,
          tags: [],
          ...omitUndefined(members),
          filters: resolveReferences(filters, await listProjectAudiences(store, project))
        }
        assertAudienceSize(undefined, audience)
        recordChanges({ _project: project._id }, [createdChange('Audience', audience)])
        return toRevised(await store.collection('audiences').insert(audience), caller)
      }),

    listAudiences: async ({ params, query: { includeUsage, ...paging } }, caller) => {
      const project = await getProject(store, params.project, caller)
      const page = toListQuery<StoredAudience>(paging, { _project: project._id })
      const { items, count } = await store.collection('audiences').list(page)
      const shown = items.map((audience) => toAudience(audience, caller))
      if (!includeUsage) return { items: shown, count }
      const used = await listUsedAudiences(store, project)
      return { items: shown.map((audience) => ({ ...audience, hasUsage: used.has(audience._id) })), count }
    },

    getAudience: async ({ params }, caller) => toRevised(await find(store, params, caller), caller),

    updateAudience: ({ params, headers, body }, caller) =>
      edit(caller, async (change) => {
        const found = await findWithProject(change.store, params, caller)
        await assertIfMatch(change, found.audience, headers, 'audience:read')
        return toRevised(await updateAudience(change, found, body), caller)
      }),

    deleteAudience: ({ params, headers }, caller) =>
      edit(caller, async (change) => {
        const { store, recordChanges } = change
        const audience = await find(store, params, caller)
        await assertIfMatch(change, audience, headers, 'audience:read')
        const users = formatAudienceUsage(await readAudienceUsage(store, audience))
        if (users) throw preconditionFailed(`audience "${audience.key}" is in use; remove it from ${users} first`)
        await store.collection('audiences').remove(audience._id)
        recordChanges({ _project: audience._project }, [deletedChange('Audience', audience)])
      }),

    getAudienceUsage: async ({ params }, caller) => readAudienceUsage(store, await find(store, params, caller)),

    patchAudience: ({ params, headers, body }, caller) =>
      edit(caller, async (change) => {
        const found = await findWithProject(change.store, params, caller)
        await assertIfMatch(change, found.audience, headers, 'audience:read')
        return toRevised(await patchAudience(change, found, body, { validate }), caller)
      })
  }
}

interface Address {
  readonly project: string
  readonly key: string
}

async function find(store: Store, address: Address, caller: TokenCaller): Promise<StoredAudience> {
  return (await findWithProject(store, address, caller)).audience
}

async function findWithProject(
  store: Store,
  { project: reference, key }: Address,
  caller: TokenCaller
): Promise<AudienceOfProject> {
  const project = await getProject(store, reference, caller)
  return { project, audience: await getInProject(store, 'audiences', project, key, caller) }
}

function toRevised(audience: StoredAudience, caller: TokenCaller): Revised<Audience> {
  return withRevision(audience, toAudience(audience, caller))
}

function toAudience({ filters, tags, ...audience }: StoredAudience, { access }: TokenCaller): Audience {
  return {
    ...audience,
    // Stored filters were validated by the schema of the contract.
    filters: filters as Audience['filters'],
    tags: [...tags],
    readonly: !access.allows('audience:write', audience._project)
  }
}
