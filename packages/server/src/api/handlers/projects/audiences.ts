import { operations } from '@burgee/contract'
import type { Audience, UpdateAudience } from '@burgee/contract/schemas'
import type { Operator } from '@burgee/core'
import { omitUndefined } from '@burgee/kit'
import { createdChange, deletedChange } from '../../../access/audit/changes.ts'
import type { Edit, EditRunner } from '../../../access/audit/edit.ts'
import { updateAudited } from '../../../access/audit/updateAudited.ts'
import { getInProject, getProject, indexByKeyOrId } from '../../../access/lookup.ts'
import type { ParseBody } from '../../../access/parseBody.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { applySemanticPatch } from '../../../flags/audiences/applySemanticPatch.ts'
import { assertCanPublishAudience } from '../../../flags/audiences/assertCanPublishAudience.ts'
import { assertNoCycle } from '../../../flags/audiences/assertNoCycle.ts'
import { formatAudienceUsage, listUsedAudiences, readAudienceUsage } from '../../../flags/audiences/audienceUsage.ts'
import { resolveAudiences } from '../../../flags/audiences/resolveAudiences.ts'
import { preconditionFailed } from '../../../lib/errors.ts'
import type { StoredAudience, StoredProject } from '../../../storage/resources/project.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'
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
        recordChanges({ _project: project._id }, [createdChange('Audience', audience)])
        return toAudience(await store.collection('audiences').insert(audience), caller)
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

    getAudience: async ({ params }, caller) => toAudience(await find(store, params, caller), caller),

    updateAudience: ({ params, body: { filters, ...members } }, caller) =>
      edit(caller, async (change) => {
        const before = await find(change.store, params, caller)
        const others = filters ? await listProjectAudiences(change.store, { _id: before._project }) : []
        const after: StoredAudience = {
          ...before,
          ...omitUndefined(members),
          ...(filters ? { filters: resolveReferences(filters, others) } : {})
        }
        if (filters) assertNoCycle(after, others)
        return toAudience(await replace(change, before, after), caller)
      }),

    deleteAudience: ({ params }, caller) =>
      edit(caller, async ({ store, recordChanges }) => {
        const audience = await find(store, params, caller)
        const users = formatAudienceUsage(await readAudienceUsage(store, audience))
        if (users) throw preconditionFailed(`audience "${audience.key}" is in use; remove it from ${users} first`)
        await store.collection('audiences').remove(audience._id)
        recordChanges({ _project: audience._project }, [deletedChange('Audience', audience)])
      }),

    getAudienceUsage: async ({ params }, caller) => readAudienceUsage(store, await find(store, params, caller)),

    patchAudience: ({ params, body: { instructions } }, caller) =>
      edit(caller, async (change) => {
        const before = await find(change.store, params, caller)
        const filters = applySemanticPatch(before.filters, instructions)
        if (filters === before.filters) return toAudience(before, caller)
        validate(operations.updateAudience.body, { filters })
        return toAudience(await replace(change, before, { ...before, filters, updatedAt: change.at }), caller)
      })
  }
}

interface Address {
  readonly project: string
  readonly key: string
}

async function find(store: Store, { project, key }: Address, caller: TokenCaller): Promise<StoredAudience> {
  return getInProject(store, 'audiences', await getProject(store, project, caller), key, caller)
}

async function listProjectAudiences(
  store: Store,
  { _id }: Pick<StoredProject, '_id'>
): Promise<readonly StoredAudience[]> {
  return (await store.collection('audiences').list({ where: { _project: _id } })).items
}

function resolveReferences(
  filters: NonNullable<UpdateAudience['filters']>,
  known: readonly StoredAudience[]
): Operator {
  const audienceOf = indexByKeyOrId(known)
  // The contract checks its schema against this type, except for operators nested in operators.
  return resolveAudiences(filters as Operator, (reference) => audienceOf(reference)?._id, 'filters')
}

async function replace(change: Edit, before: StoredAudience, after: StoredAudience): Promise<StoredAudience> {
  await assertCanPublishAudience(change.store, change.caller, before, after)
  const subject = { _project: before._project }
  return updateAudited(change, { collection: 'audiences', resource: 'Audience', subject }, before, after)
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
