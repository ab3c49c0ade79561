import type { Pagination, UpdateWebhook, Webhook } from '@burgee/contract/schemas'
import { findByKeyOrId, omitUndefined } from '@burgee/kit'
import { formatValue, maskUrl } from '@burgee/kit/text'
import { createdChange, deletedChange } from '../../../access/audit/changes.ts'
import type { EditRunner } from '../../../access/audit/edit.ts'
import { maskWebhookUrls } from '../../../access/audit/maskWebhookUrls.ts'
import { updateAudited } from '../../../access/audit/updateAudited.ts'
import { findInProject, getProject } from '../../../access/lookup.ts'
import { assertPermissionAnywhere } from '../../../access/permissions/assertPermission.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { refused } from '../../../access/permissions/managementError.ts'
import { listEnvironments } from '../../../flags/features/readFeatureContext.ts'
import { assertCallableUrl, type ValidateOutboundUrl } from '../../../integrations/assertCallableUrl.ts'
import { extractBasicAuth } from '../../../integrations/webhooks/buildSignedRequest.ts'
import { getWebhook } from '../../../integrations/webhooks/getWebhook.ts'
import { badRequest, conflict } from '../../../lib/errors.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import type { StoredWebhook } from '../../../storage/resources/notification.ts'
import type { StoredProject } from '../../../storage/resources/project.ts'
import type { ItemPatch, Query, Store } from '../../../storage/store.ts'
import type { Handlers, Revised } from '../shared/handler.ts'
import { assertIfMatch, withRevision } from '../shared/revised.ts'
import { toListQuery } from '../shared/toListQuery.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly validateOutboundUrl: ValidateOutboundUrl
}

type Operations = 'createWebhook' | 'listWebhooks' | 'getWebhook' | 'updateWebhook' | 'deleteWebhook'

/** Handlers of webhooks. */
export function webhooks({ store, edit, ids, validateOutboundUrl }: Dependencies): Pick<Handlers, Operations> {
  const assertCallable = (url: string): void => assertCallableUrl('url', extractBasicAuth(url).url, validateOutboundUrl)

  return {
    createWebhook: ({ params, body }, caller) =>
      edit(caller, async ({ store, recordFields, recordChanges }) => {
        const project = await getProject(store, params.project, caller)
        assertCallable(body.url)
        assertMaySubscribe(caller, body.events)
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
        return toRevised(caller, await store.collection('webhooks').insert(webhook))
      }),

    listWebhooks: async ({ params, query }, caller) => {
      const project = await getProject(store, params.project, caller)
      const { items, count } = await store.collection('webhooks').list(toWebhookQuery(project, query))
      return { items: items.map((webhook) => toWebhook(caller, webhook)), count }
    },

    getWebhook: async ({ params }, caller) => {
      return toRevised(caller, (await getWebhook(store, params, caller)).webhook)
    },

    updateWebhook: ({ params, headers, body }, caller) =>
      edit(caller, async (change) => {
        const { project, webhook: before } = await getWebhook(change.store, params, caller)
        await assertIfMatch(change, before, headers, 'project:read')
        if (body.url !== undefined) assertCallable(body.url)
        assertMaySubscribe(caller, body.events ?? [], before.events)
        // Setting `enabled` clears the reason for disabling it automatically.
        const cleared = body.enabled === undefined ? {} : { disabledReason: undefined }
        // The store deletes members that are undefined.
        const after = { ...before, ...cleared, ...(await toMembers(change.store, project, body)) } as StoredWebhook
        await assertUnique(change.store, after)
        const subject = { _project: project._id }
        const place = { collection: 'webhooks', resource: 'Webhook', subject, mapChanges: maskWebhookUrls } as const
        return toRevised(caller, await updateAudited(change, place, before, after))
      }),

    deleteWebhook: ({ params, headers }, caller) =>
      edit(caller, async (change) => {
        const { store, recordChanges } = change
        const { project, webhook } = await getWebhook(store, params, caller)
        await assertIfMatch(change, webhook, headers, 'project:read')
        await store.collection('webhooks').remove(webhook._id)
        recordChanges({ _project: project._id }, maskWebhookUrls([deletedChange('Webhook', webhook)]))
        return toWebhook(caller, webhook)
      })
  }
}

/** Asserts that the caller may see the resources that new subscriptions warn about. @throws {HttpError} 403 */
function assertMaySubscribe(caller: TokenCaller, events: Webhook['events'], before: Webhook['events'] = []): void {
  for (const [event, permission] of Object.entries(warningPermissions)) {
    const isNew = [events, before].map((some) => some.some((one) => one === event))
    if (isNew[0] && !isNew[1]) assertPermissionAnywhere(caller, permission)
  }
}

/** Only callers who may change SCIM tokens and trusts can see them. */
const warningPermissions = {
  expiringApiClient: 'organization:read:settings',
  expiringScimToken: 'organization:write:settings',
  expiringWorkloadTrust: 'organization:write:settings'
} as const

function toRevised(caller: TokenCaller, webhook: StoredWebhook): Revised<Webhook> {
  return withRevision(webhook, toWebhook(caller, webhook))
}

/** Serializes a webhook. The URL is masked unless the caller may change it. */
function toWebhook({ access }: TokenCaller, { secrets, ...webhook }: StoredWebhook): Webhook {
  return access.allows('project:write:settings', webhook._project) ? webhook : { ...webhook, url: maskUrl(webhook.url) }
}

/** Converts paging parameters to a query. Webhooks have no key, and name their creator `createdBy`. */
function toWebhookQuery({ _id: _project }: StoredProject, { createdBy, ...paging }: Pagination): Query<StoredWebhook> {
  const page = toListQuery<StoredWebhook>(paging, { _project, ...omitUndefined({ createdBy }) }, ['name'])
  return paging.sortBy === 'createdBy' ? { ...page, sortBy: 'createdBy' } : page
}

/**
 * Converts a request body, with references resolved to ids. @throws {HttpError} 400 that names all unknown references.
 */
async function toMembers(
  store: Store,
  project: StoredProject,
  { _feature, _environments, events, ...members }: UpdateWebhook
): Promise<ItemPatch<StoredWebhook>> {
  const feature = _feature ? await findInProject(store, 'features', project, _feature) : undefined
  const environments = _environments?.length ? await listEnvironments(store, project) : []
  const found = (_environments ?? []).map((reference) => {
    return findByKeyOrId(environments, reference)
  })
  const issues = found.flatMap((environment, index) => {
    const expected = `_environments.${index} should be the key or id of an environment`
    return environment ? [] : [`${expected}, got ${formatValue(_environments?.[index])}`]
  })
  if (_feature && !feature)
    issues.unshift(`_feature should be the key or id of a feature, got ${formatValue(_feature)}`)
  if (issues.length > 0) throw badRequest(issues)
  return {
    ...omitUndefined(members),
    ...(events ? { events: [...new Set(events)] } : {}),
    ...(_feature === undefined ? {} : { _feature: feature?._id }),
    ...(_environments === undefined
      ? {}
      : { _environments: [...new Set(found.flatMap((environment) => environment?._id ?? []))] })
  }
}

/**
 * Limits the webhooks of a project: each change of a feature sends a message to all of them. @throws
 * {HttpError} 409
 */
async function assertWebhookLimit(store: Store, { _id: _project, key }: StoredProject): Promise<void> {
  const { count } = await store.collection('webhooks').list({ where: { _project }, perPage: 1 })
  if (count < MAX_WEBHOOKS) return
  throw conflict(
    `project "${key}" has ${count} webhooks, the maximum is ${MAX_WEBHOOKS}; delete one before you add another`
  )
}

const MAX_WEBHOOKS = 100

/** Rejects a second webhook with the same URL and feature in a project. @throws {HttpError} 409 */
async function assertUnique(store: Store, { _id, _project, _feature, url }: StoredWebhook): Promise<void> {
  const { items } = await store.collection('webhooks').list({ where: { _project } })
  const isDuplicate = (other: StoredWebhook) => {
    return other._id !== _id && other._feature === _feature && hrefOf(other) === hrefOf({ url })
  }
  const duplicate = items.find(isDuplicate)
  if (!duplicate) return
  const message = `webhook "${duplicate.name}" (${duplicate._id}) already has this url and _feature; change that one, or use others`
  throw refused('ERR_DUPE_WEBHOOK_URL', message)
}

function hrefOf({ url }: Pick<StoredWebhook, 'url'>): string {
  return new URL(url).href
}
