import { paginate, revisionOf } from '@burgee/contract/client'
import type { CreateWebhook, UpdateWebhook, Webhook } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { isMaskedUrl, maskUrl } from '@burgee/kit/text'
import type { ProjectDocument, Resource } from '../../document/projectDocument.ts'
import { NotFoundError } from '../../run/errors.ts'
import type { Session } from '../../run/session.ts'
import type { ResourceChange } from '../createPlan.ts'

/** The keys of what webhooks refer to, by id. */
interface References {
  readonly environments: ReadonlyMap<string, string>
  readonly features: ReadonlyMap<string, string>
}

/** The webhooks of a project as files describe them, by name. */
export interface NamedWebhooks {
  readonly byName: Readonly<Record<string, Resource>>
  /** Names of several webhooks, which files cannot tell apart. */
  readonly ambiguous: readonly string[]
}

/** Returns the webhooks whose names are unique. */
export function nameWebhooks(webhooks: readonly Webhook[], references: References): NamedWebhooks {
  const names = webhooks.map(({ name }) => name)
  const ambiguous = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
  const unique = webhooks.filter(({ name }) => !ambiguous.includes(name))
  return { byName: Object.fromEntries(unique.map((one) => [one.name, toWebhook(one, references)])), ambiguous }
}

function toWebhook(webhook: Webhook, { environments, features }: References): Resource {
  const { url, description = '', events, _environments, _feature, outputFormat, enabled } = webhook
  return {
    url,
    description,
    events: [...events].sort(),
    environments: _environments.map((id) => environments.get(id) ?? id).sort(),
    feature: _feature === undefined ? undefined : (features.get(_feature) ?? _feature),
    format: outputFormat?.type ?? 'json',
    enabled
  }
}

/**
 * Returns a project in which masked addresses of webhooks are those of the files, where they have the same origin: the
 * server masks them from callers that cannot change them.
 */
export function unmaskUrls(server: ProjectDocument, files: ProjectDocument): ProjectDocument {
  const webhooks = Object.entries(server.webhooks).map(([name, webhook]) => {
    const described = files.webhooks[name]?.url
    const isSame =
      typeof described === 'string' && isMaskedUrl(String(webhook.url)) && maskUrl(described) === webhook.url
    return [name, isSame ? { ...webhook, url: described } : webhook]
  })
  return { ...server, webhooks: Object.fromEntries(webhooks) }
}

type Project = { readonly key: string; readonly references: References }

/** Reads the webhook of a name. @throws {ApiError}, {NotFoundError} */
export async function readWebhook(name: string, { client }: Pick<Session, 'client'>, { key, references }: Project) {
  const { _id } = await findWebhook(name, { client }, key)
  const webhook = await client.getWebhook({ params: { project: key, id: _id } })
  return { id: _id, resource: toWebhook(webhook, references), revision: revisionOf(webhook) }
}

/** @throws {NotFoundError} unless one webhook has this name. */
async function findWebhook(name: string, { client }: Pick<Session, 'client'>, project: string): Promise<Webhook> {
  const found: Webhook[] = []
  for await (const webhook of paginate(client.listWebhooks, { params: { project } })) {
    if (webhook.name === name) found.push(webhook)
  }
  const [only] = found
  if (!only || found.length > 1)
    throw new NotFoundError(`${found.length} webhooks have the name "${name}", and not one`)
  return only
}

/** Creates, updates or deletes a webhook. @param resource Its members after the change. @throws {ApiError} */
export async function applyWebhook(
  { action, key: name, members }: ResourceChange,
  resource: Resource,
  { client }: Pick<Session, 'client'>,
  project: Project
): Promise<void> {
  const params = { project: project.key }
  if (action === 'create') {
    await client.createWebhook({ params, body: { name, ...toBody(resource) } as CreateWebhook })
    return
  }
  const { id, revision } = await readWebhook(name, { client }, project)
  const condition = revision === undefined ? {} : { headers: { 'if-match': revision } }
  const request = { params: { ...params, id }, ...condition }
  if (action === 'delete') {
    await client.deleteWebhook(request)
    return
  }
  const changed = Object.fromEntries(members.map(({ path: [member = ''] }) => [member, resource[member] ?? null]))
  await client.updateWebhook({ ...request, body: toBody(changed) })
}

/** Returns the members of a body. */
function toBody({ feature, environments, format, ...others }: Resource): UpdateWebhook {
  return omitUndefined({
    ...others,
    _feature: feature,
    _environments: environments,
    outputFormat: format && { type: format }
  }) as UpdateWebhook
}
