import type { Pagination, UpdateWebhook, Webhook } from '@burgee/contract'
import { show } from '@burgee/contract'
import { created, deleted } from '../audit/changes.ts'
import type { MakeEdit } from '../audit/edit.ts'
import { replaceItem } from '../audit/replaceItem.ts'
import type { TokenCaller } from '../caller.ts'
import { conflict, invalid } from '../errors.ts'
import { environmentsOf } from '../features/readContext.ts'
import { findProject, named, seekIn } from '../find.ts'
import { given } from '../given.ts'
import type { Ids } from '../id.ts'
import { isMaskedUrl, maskedUrl } from '../mask.ts'
import type { StoredProject, StoredWebhook } from '../store/resources.ts'
import type { Members, Query, Store } from '../store/store.ts'
import { findWebhook } from '../webhooks/findWebhook.ts'
import { splitUrl } from '../webhooks/splitUrl.ts'
import { withoutSecrets } from '../webhooks/withoutSecrets.ts'
import type { Handlers } from './handler.ts'
import { pageOf } from './page.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  readonly ids: Ids
  /** What is wrong with an address to be called, as far as it can be told without calling it. */
  readonly mistakeOfTarget: (url: string) => string | undefined
}

type Operations = 'createWebhook' | 'listWebhooks' | 'getWebhook' | 'updateWebhook' | 'deleteWebhook'

/** Keeps the addresses that are told of changes. */
export function webhooks({ store, edit, ids, mistakeOfTarget }: Dependencies): Pick<Handlers, Operations> {
  /** Refuses an address that would be refused at each attempt. @throws {ApiError} 400 */
  const demandCallable = (url: string): void => {
    if (isMaskedUrl(url)) {
      throw invalid(['url should be the whole address, got one whose secrets are masked'], 'invalid_body')
    }
    const mistake = mistakeOfTarget(splitUrl(url).url)
    if (mistake !== undefined)
      throw invalid([`url should be an address that can be called: ${mistake}`], 'invalid_body')
  }

  return {
    createWebhook: ({ params, body }, caller) =>
      edit(caller, async ({ store, stamps, note }) => {
        const project = await findProject(store, params.project, caller)
        demandCallable(body.url)
        const webhook: StoredWebhook = {
          ...stamps(),
          _project: project._id,
          createdBy: caller.id,
          source: caller.source,
          name: body.name,
          url: body.url,
          events: body.events,
          enabled: true,
          secrets: [{ secret: ids.webhookSecret() }],
          _environments: [],
          ...given(await toMembers(store, project, body))
        }
        await demandRoom(store, project)
        await demandUnique(store, webhook)
        note({ _project: project._id }, withoutSecrets([created('Webhook', webhook)]))
        return seenBy(caller, await store.collection('webhooks').insert(webhook))
      }),

    listWebhooks: async ({ params, query }, caller) => {
      const project = await findProject(store, params.project, caller)
      const { items, count } = await store.collection('webhooks').list(pageIn(project, query))
      return { items: items.map((webhook) => seenBy(caller, webhook)), count }
    },

    getWebhook: async ({ params }, caller) => {
      return seenBy(caller, (await findWebhook(store, params, caller)).webhook)
    },

    updateWebhook: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const { project, webhook: before } = await findWebhook(change.store, params, caller)
        if (body.url !== undefined) demandCallable(body.url)
        // Why the server switched it off says nothing any more once somebody has set the switch.
        const switched = body.enabled === undefined ? {} : { disabledReason: undefined }
        // A member that is undefined is taken away when the webhook is stored.
        const after = { ...before, ...switched, ...(await toMembers(change.store, project, body)) } as StoredWebhook
        await demandUnique(change.store, after)
        const subject = { _project: project._id }
        const place = { collection: 'webhooks', resource: 'Webhook', subject, tell: withoutSecrets } as const
        return seenBy(caller, await replaceItem(change, place, before, after))
      }),

    deleteWebhook: ({ params }, caller) =>
      edit(caller, async ({ store, note }) => {
        const { project, webhook } = await findWebhook(store, params, caller)
        await store.collection('webhooks').remove(webhook._id)
        note({ _project: project._id }, withoutSecrets([deleted('Webhook', webhook)]))
        return seenBy(caller, webhook)
      })
  }
}

/** A webhook as a caller may see it: the secrets in its address are for those who could give it another. */
function seenBy({ access }: TokenCaller, { secrets, ...webhook }: StoredWebhook): Webhook {
  return access.allows('project:write:settings', webhook._project)
    ? webhook
    : { ...webhook, url: maskedUrl(webhook.url) }
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

/** Refuses a webhook where the project has many: each change of its features is a message to all of them. @throws {ApiError} 409 */
async function demandRoom(store: Store, { _id: _project, key }: StoredProject): Promise<void> {
  const { count } = await store.collection('webhooks').list({ where: { _project }, perPage: 1 })
  if (count < MOST) return
  throw conflict(`project "${key}" has ${count} webhooks, and ${MOST} is the most; delete one before you add another`)
}

const MOST = 100

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
