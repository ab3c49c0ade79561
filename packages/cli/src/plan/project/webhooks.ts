import { collect, revisionOf } from '@burgee/contract/client'
import type { Webhook } from '@burgee/contract/schemas'
import { isMaskedUrl, maskUrl } from '@burgee/kit/text'
import type { ProjectDocument, Resource, Section } from '../../document/projectDocument.ts'
import { NotFoundError } from '../../run/failures/errors.ts'
import type { Session } from '../../run/session.ts'

/** The keys of what webhooks refer to, by id. */
interface References {
  readonly environments: ReadonlyMap<string, string>
  readonly features: ReadonlyMap<string, string>
}

/** The webhooks of a project as files describe them, by name. */
export interface NamedWebhooks {
  readonly byName: Readonly<Record<string, Resource>>
  readonly idByName: ReadonlyMap<string, string>
  /** Names of several webhooks, which files cannot tell apart. */
  readonly ambiguous: readonly string[]
}

/** Returns the webhooks whose names are unique. */
export function nameWebhooks(webhooks: readonly Webhook[], references: References): NamedWebhooks {
  const names = webhooks.map(({ name }) => name)
  const ambiguous = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
  const unique = webhooks.filter(({ name }) => !ambiguous.includes(name))
  return {
    byName: Object.fromEntries(unique.map((one) => [one.name, toWebhook(one, references)])),
    idByName: new Map(unique.map(({ name, _id }) => [name, _id])),
    ambiguous
  }
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

/** Returns the value of a member as plans show it, of the address of a webhook the origin: the rest can contain a secret. */
export function maskMember(section: Section, path: readonly string[], value: unknown): unknown {
  const isAddress = section === 'webhooks' && path.length === 1 && path[0] === 'url'
  return isAddress && typeof value === 'string' ? maskUrl(value) : value
}

interface Project {
  readonly key: string
  readonly references: References
  /** The ids at the time at which the plan was made. */
  readonly webhookIds: ReadonlyMap<string, string>
}

/** Reads the webhook of a name. @throws {ApiError}, {NotFoundError} */
export async function readWebhook(
  name: string,
  { client }: Pick<Session, 'client'>,
  { key, references, webhookIds }: Project
) {
  const _id = webhookIds.get(name) ?? (await findWebhook(name, { client }, key))._id
  const webhook = await client.getWebhook({ params: { project: key, id: _id } })
  if (webhook.name !== name) throw new NotFoundError(`webhook "${name}" no longer exists`)
  return { id: _id, resource: toWebhook(webhook, references), revision: revisionOf(webhook) }
}

/** @throws {NotFoundError} unless one webhook has this name. */
async function findWebhook(name: string, { client }: Pick<Session, 'client'>, project: string): Promise<Webhook> {
  const webhooks = await collect(client.listWebhooks, { params: { project } })
  const found = webhooks.filter((webhook) => webhook.name === name)
  const [only] = found
  if (!only || found.length > 1)
    throw new NotFoundError(`${found.length} webhooks have the name "${name}", and not one`)
  return only
}
