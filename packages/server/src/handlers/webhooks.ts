import type { Pagination, UpdateWebhook } from '@burgee/contract'
import { created, deleted } from '../audit/changes.ts'
import type { MakeEdit } from '../audit/edit.ts'
import { replaceItem } from '../audit/replaceItem.ts'
import type { TokenCaller } from '../caller.ts'
import { conflict, invalid, itemNotFound } from '../errors.ts'
import { environmentsOf } from '../features/readContext.ts'
import { findProject, named, seekIn } from '../find.ts'
import { given } from '../given.ts'
import { show } from '../show.ts'
import type { StoredProject, StoredWebhook } from '../store/resources.ts'
import type { Members, Query, Store } from '../store/store.ts'
import { maskedUrl, withoutSecrets } from '../webhooks/withoutSecrets.ts'
import type { Handlers } from './handler.ts'
import { pageOf } from './page.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
}

type Operations = 'createWebhook' | 'listWebhooks' | 'getWebhook' | 'updateWebhook' | 'deleteWebhook'

/** Keeps the addresses that are told of changes. */
export function webhooks({ store, edit }: Dependencies): Pick<Handlers, Operations> {
  return {
    createWebhook: ({ params, body }, caller) =>
      edit(caller, async ({ store, stamps, note }) => {
        const project = await findProject(store, params.project, caller)
        const webhook: StoredWebhook = {
          ...stamps(),
          _project: project._id,
          createdBy: caller.id,
          source: caller.source,
          name: body.name,
          url: body.url,
          events: body.events,
          _environments: [],
          ...given(await toMembers(store, project, body))
        }
        await demandUnique(store, webhook)
        note({ _project: project._id }, withoutSecrets([created('Webhook', webhook)]))
        return store.collection('webhooks').insert(webhook)
      }),

    listWebhooks: async ({ params, query }, caller) => {
      const project = await findProject(store, params.project, caller)
      const { items, count } = await store.collection('webhooks').list(pageIn(project, query))
      return { items: items.map((webhook) => seenBy(caller, webhook)), count }
    },

    getWebhook: async ({ params }, caller) => {
      return seenBy(caller, await find(store, await findProject(store, params.project, caller), params.id))
    },

    updateWebhook: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const project = await findProject(change.store, params.project, caller)
        const before = await find(change.store, project, params.id)
        // A member that is undefined is taken away when the webhook is stored.
        const after = { ...before, ...(await toMembers(change.store, project, body)) } as StoredWebhook
        await demandUnique(change.store, after)
        const subject = { _project: project._id }
        const place = { collection: 'webhooks', resource: 'Webhook', subject, tell: withoutSecrets } as const
        return replaceItem(change, place, before, after)
      }),

    deleteWebhook: ({ params }, caller) =>
      edit(caller, async ({ store, note }) => {
        const project = await findProject(store, params.project, caller)
        const webhook = await find(store, project, params.id)
        await store.collection('webhooks').remove(webhook._id)
        note({ _project: project._id }, withoutSecrets([deleted('Webhook', webhook)]))
        return webhook
      })
  }
}

/** A webhook as a caller may see it: the secrets in its address are for those who could give it another. */
function seenBy({ access }: TokenCaller, webhook: StoredWebhook): StoredWebhook {
  return access.allows('project:write:settings', webhook._project)
    ? webhook
    : { ...webhook, url: maskedUrl(webhook.url) }
}

async function find(store: Store, { _id: _project }: StoredProject, _id: string): Promise<StoredWebhook> {
  const webhook = await store.collection('webhooks').get({ _project, _id })
  if (!webhook) throw itemNotFound(_id)
  return webhook
}

/** The page of a list that a request asks for. Webhooks have no key, and call who made them `createdBy`. */
function pageIn({ _id: _project }: StoredProject, { createdBy, ...paging }: Pagination): Query<StoredWebhook> {
  const page = pageOf<StoredWebhook>(paging, { _project, ...given({ createdBy }) }, ['name'])
  return paging.sortBy === 'createdBy' ? { ...page, sortBy: 'createdBy' } : page
}

/** What a request gives, with ids for what it names. @throws {ApiError} 400 that names everything that is not there. */
async function toMembers(
  store: Store,
  project: StoredProject,
  { _feature, _environments, events, ...members }: UpdateWebhook
): Promise<Members<StoredWebhook>> {
  const feature = _feature ? await seekIn(store, 'features', project, _feature) : undefined
  const environments = _environments?.length ? await environmentsOf(store, project) : []
  const listed = (_environments ?? []).map((reference) => {
    return named(environments, reference)
  })
  const mistakes = listed.flatMap((environment, index) => {
    const wanted = `_environments.${index} should be the key or id of an environment`
    return environment ? [] : [`${wanted}, got ${show(_environments?.[index])}`]
  })
  if (_feature && !feature) mistakes.unshift(`_feature should be the key or id of a feature, got ${show(_feature)}`)
  if (mistakes.length > 0) throw invalid(mistakes, 'invalid_body')
  return {
    ...given(members),
    ...(events ? { events: [...new Set(events)] } : {}),
    ...(_feature === undefined ? {} : { _feature: feature?._id }),
    ...(_environments === undefined ? {} : { _environments: [...new Set(listed.flatMap((found) => found?._id ?? []))] })
  }
}

/** Refuses a webhook where the project has one of the same address about the same feature. @throws {ApiError} 409 */
async function demandUnique(store: Store, { _id, _project, _feature, url }: StoredWebhook): Promise<void> {
  const { items } = await store.collection('webhooks').list({ where: { _project } })
  const isTwin = (other: StoredWebhook) => {
    return other._id !== _id && other._feature === _feature && hrefOf(other) === hrefOf({ url })
  }
  const twin = items.find(isTwin)
  if (!twin) return
  const words = `webhook "${twin.name}" (${twin._id}) has this url and _feature already; change that one, or give others`
  throw conflict(words, 'ERR_DUPE_WEBHOOK_URL')
}

function hrefOf({ url }: Pick<StoredWebhook, 'url'>): string {
  return new URL(url).href
}
