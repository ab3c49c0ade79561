import type { Pagination, UpdateWebhook, Webhook } from '@burgee/contract/schemas'
import { formatValue } from '@burgee/kit/text'
import { createdChange, deletedChange } from '../../../access/audit/changes.ts'
import type { EditRunner } from '../../../access/audit/edit.ts'
import { maskWebhookUrls } from '../../../access/audit/maskWebhookUrls.ts'
import { updateAudited } from '../../../access/audit/updateAudited.ts'
import { findByKeyOrId, findInProject, getProject } from '../../../access/lookup.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { listEnvironments } from '../../../flags/features/readFeatureContext.ts'
import { extractBasicAuth } from '../../../integrations/webhooks/buildSignedRequest.ts'
import { getWebhook } from '../../../integrations/webhooks/getWebhook.ts'
import { badRequest, conflict } from '../../../lib/errors.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import { isMaskedUrl, maskUrl } from '../../../lib/mask.ts'
import { omitUndefined } from '../../../lib/object.ts'
import type { StoredProject, StoredWebhook } from '../../../storage/resources.ts'
import type { ItemPatch, Query, Store } from '../../../storage/store.ts'
import type { Handlers } from '../kit/handler.ts'
import { toListQuery } from '../kit/toListQuery.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  /** What is wrong with an address to be called, as far as it can be told without calling it. */
  readonly validateOutboundUrl: (url: string) => string | undefined
}

type Operations = 'createWebhook' | 'listWebhooks' | 'getWebhook' | 'updateWebhook' | 'deleteWebhook'

/** Keeps the addresses that are told of changes. */
export function webhooks({ store, edit, ids, validateOutboundUrl }: Dependencies): Pick<Handlers, Operations> {
  /** Refuses an address that would be refused at each attempt. @throws {ApiError} 400 */
  const assertCallable = (url: string): void => {
    if (isMaskedUrl(url)) {
      throw badRequest(['url should be the whole address, got one whose secrets are masked'], 'invalid_body')
    }
    const mistake = validateOutboundUrl(extractBasicAuth(url).url)
    if (mistake !== undefined)
      throw badRequest([`url should be an address that can be called: ${mistake}`], 'invalid_body')
  }

  return {
    createWebhook: ({ params, body }, caller) =>
      edit(caller, async ({ store, recordFields, recordChanges }) => {
        const project = await getProject(store, params.project, caller)
        assertCallable(body.url)
        const webhook: StoredWebhook = {
          ...recordFields(),
          _project: project._id,
          createdBy: caller.id,
          source: caller.source,
          name: body.name,
          url: body.url,
          events: body.events,
          enabled: true,
          secrets: [{ secret: ids.webhookSecret() }],
          _environments: [],
          ...omitUndefined(await toMembers(store, project, body))
        }
        await assertWebhookLimit(store, project)
        await assertUnique(store, webhook)
        recordChanges({ _project: project._id }, maskWebhookUrls([createdChange('Webhook', webhook)]))
        return seenBy(caller, await store.collection('webhooks').insert(webhook))
      }),

    listWebhooks: async ({ params, query }, caller) => {
      const project = await getProject(store, params.project, caller)
      const { items, count } = await store.collection('webhooks').list(pageIn(project, query))
      return { items: items.map((webhook) => seenBy(caller, webhook)), count }
    },

    getWebhook: async ({ params }, caller) => {
      return seenBy(caller, (await getWebhook(store, params, caller)).webhook)
    },

    updateWebhook: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const { project, webhook: before } = await getWebhook(change.store, params, caller)
        if (body.url !== undefined) assertCallable(body.url)
        // Why the server switched it off says nothing any more once somebody has set the switch.
        const switched = body.enabled === undefined ? {} : { disabledReason: undefined }
        // A member that is undefined is taken away when the webhook is stored.
        const after = { ...before, ...switched, ...(await toMembers(change.store, project, body)) } as StoredWebhook
        await assertUnique(change.store, after)
        const subject = { _project: project._id }
        const place = { collection: 'webhooks', resource: 'Webhook', subject, mapChanges: maskWebhookUrls } as const
        return seenBy(caller, await updateAudited(change, place, before, after))
      }),

    deleteWebhook: ({ params }, caller) =>
      edit(caller, async ({ store, recordChanges }) => {
        const { project, webhook } = await getWebhook(store, params, caller)
        await store.collection('webhooks').remove(webhook._id)
        recordChanges({ _project: project._id }, maskWebhookUrls([deletedChange('Webhook', webhook)]))
        return seenBy(caller, webhook)
      })
  }
}

/** A webhook as a caller may see it: the secrets in its address are for those who could give it another. */
function seenBy({ access }: TokenCaller, { secrets, ...webhook }: StoredWebhook): Webhook {
  return access.allows('project:write:settings', webhook._project) ? webhook : { ...webhook, url: maskUrl(webhook.url) }
}

/** The page of a list that a request asks for. Webhooks have no key, and call who made them `createdBy`. */
function pageIn({ _id: _project }: StoredProject, { createdBy, ...paging }: Pagination): Query<StoredWebhook> {
  const page = toListQuery<StoredWebhook>(paging, { _project, ...omitUndefined({ createdBy }) }, ['name'])
  return paging.sortBy === 'createdBy' ? { ...page, sortBy: 'createdBy' } : page
}

/** What a request gives, with ids for what it names. @throws {ApiError} 400 that names everything that is not there. */
async function toMembers(
  store: Store,
  project: StoredProject,
  { _feature, _environments, events, ...members }: UpdateWebhook
): Promise<ItemPatch<StoredWebhook>> {
  const feature = _feature ? await findInProject(store, 'features', project, _feature) : undefined
  const environments = _environments?.length ? await listEnvironments(store, project) : []
  const listed = (_environments ?? []).map((reference) => {
    return findByKeyOrId(environments, reference)
  })
  const mistakes = listed.flatMap((environment, index) => {
    const wanted = `_environments.${index} should be the key or id of an environment`
    return environment ? [] : [`${wanted}, got ${formatValue(_environments?.[index])}`]
  })
  if (_feature && !feature)
    mistakes.unshift(`_feature should be the key or id of a feature, got ${formatValue(_feature)}`)
  if (mistakes.length > 0) throw badRequest(mistakes, 'invalid_body')
  return {
    ...omitUndefined(members),
    ...(events ? { events: [...new Set(events)] } : {}),
    ...(_feature === undefined ? {} : { _feature: feature?._id }),
    ...(_environments === undefined ? {} : { _environments: [...new Set(listed.flatMap((found) => found?._id ?? []))] })
  }
}

/** Refuses a webhook where the project has many: each change of its features is a message to all of them. @throws {ApiError} 409 */
async function assertWebhookLimit(store: Store, { _id: _project, key }: StoredProject): Promise<void> {
  const { count } = await store.collection('webhooks').list({ where: { _project }, perPage: 1 })
  if (count < MOST) return
  throw conflict(`project "${key}" has ${count} webhooks, and ${MOST} is the most; delete one before you add another`)
}

const MOST = 100

/** Refuses a webhook where the project has one of the same address about the same feature. @throws {ApiError} 409 */
async function assertUnique(store: Store, { _id, _project, _feature, url }: StoredWebhook): Promise<void> {
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
