import { type Audience, operations, type UpdateAudience } from '@burgee/contract'
import type { Operator } from '@burgee/core'
import { demandNoCycle } from '../audiences/cycles.ts'
import { demandPublishing } from '../audiences/publishing.ts'
import { resolveAudiences } from '../audiences/resolve.ts'
import { patchFilters } from '../audiences/semanticPatch.ts'
import { describeUsage, usageOf, usedAudiences } from '../audiences/usage.ts'
import { created, deleted } from '../audit/changes.ts'
import type { Edit, MakeEdit } from '../audit/edit.ts'
import { replaceItem } from '../audit/replaceItem.ts'
import type { TokenCaller } from '../caller.ts'
import { preconditionFailed } from '../errors.ts'
import { findIn, findProject, namedAmong } from '../find.ts'
import { given } from '../given.ts'
import type { StoredAudience, StoredProject } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import type { Validate } from '../validate.ts'
import type { Handlers } from './handler.ts'
import { pageOf } from './page.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  readonly validate: Validate
}

type Operations =
  | 'createAudience'
  | 'listAudiences'
  | 'getAudience'
  | 'updateAudience'
  | 'deleteAudience'
  | 'getAudienceUsage'
  | 'patchAudience'

/** Keeps audiences, and tells what refers to them. */
export function audiences({ store, edit, validate }: Dependencies): Pick<Handlers, Operations> {
  return {
    createAudience: ({ params, body: { filters, ...members } }, caller) =>
      edit(caller, async ({ store, stamps, note }) => {
        const project = await findProject(store, params.project, caller)
        const audience: StoredAudience = {
          ...stamps(),
          _project: project._id,
          _createdBy: caller.id,
          source: caller.source,
          tags: [],
          ...given(members),
          filters: resolved(filters, await audiencesOf(store, project))
        }
        note({ _project: project._id }, [created('Audience', audience)])
        return toAudience(await store.collection('audiences').insert(audience), caller)
      }),

    listAudiences: async ({ params, query: { includeUsage, ...paging } }, caller) => {
      const project = await findProject(store, params.project, caller)
      const page = pageOf<StoredAudience>(paging, { _project: project._id })
      const { items, count } = await store.collection('audiences').list(page)
      const shown = items.map((audience) => toAudience(audience, caller))
      if (!includeUsage) return { items: shown, count }
      const used = await usedAudiences(store, project)
      return { items: shown.map((audience) => ({ ...audience, hasUsage: used.has(audience._id) })), count }
    },

    getAudience: async ({ params }, caller) => toAudience(await find(store, params, caller), caller),

    updateAudience: ({ params, body: { filters, ...members } }, caller) =>
      edit(caller, async (change) => {
        const before = await find(change.store, params, caller)
        const others = filters ? await audiencesOf(change.store, { _id: before._project }) : []
        const after: StoredAudience = {
          ...before,
          ...given(members),
          ...(filters ? { filters: resolved(filters, others) } : {})
        }
        if (filters) demandNoCycle(after, others)
        return toAudience(await replace(change, before, after), caller)
      }),

    deleteAudience: ({ params }, caller) =>
      edit(caller, async ({ store, note }) => {
        const audience = await find(store, params, caller)
        const users = describeUsage(await usageOf(store, audience))
        if (users) throw preconditionFailed(`audience "${audience.key}" is in use; take it out of ${users} first`)
        await store.collection('audiences').remove(audience._id)
        note({ _project: audience._project }, [deleted('Audience', audience)])
      }),

    getAudienceUsage: async ({ params }, caller) => usageOf(store, await find(store, params, caller)),

    patchAudience: ({ params, body: { instructions } }, caller) =>
      edit(caller, async (change) => {
        const before = await find(change.store, params, caller)
        const filters = patchFilters(before.filters, instructions)
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
  return findIn(store, 'audiences', await findProject(store, project, caller), key)
}

async function audiencesOf(store: Store, { _id }: Pick<StoredProject, '_id'>): Promise<readonly StoredAudience[]> {
  return (await store.collection('audiences').list({ where: { _project: _id } })).items
}

function resolved(filters: NonNullable<UpdateAudience['filters']>, known: readonly StoredAudience[]): Operator {
  const audienceOf = namedAmong(known)
  // The contract holds its schema against this type; it only cannot say so of operators inside operators.
  return resolveAudiences(filters as Operator, (reference) => audienceOf(reference)?._id, 'filters')
}

async function replace(change: Edit, before: StoredAudience, after: StoredAudience): Promise<StoredAudience> {
  await demandPublishing(change.store, change.caller, before, after)
  const subject = { _project: before._project }
  return replaceItem(change, { collection: 'audiences', resource: 'Audience', subject }, before, after)
}

function toAudience({ filters, tags, ...audience }: StoredAudience, { access }: TokenCaller): Audience {
  return {
    ...audience,
    // What is stored has passed the contract's schema.
    filters: filters as Audience['filters'],
    tags: [...tags],
    readonly: !access.allows('audience:write', audience._project)
  }
}
