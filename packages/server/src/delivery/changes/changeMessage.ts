import type { Permission } from '@burgee/contract'
import type { AuditLogChange, ProjectChange } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { Access } from '../../access/permissions/access.ts'
import type { StoredAuditEntry } from '../../storage/resources/history.ts'
import type { Store } from '../../storage/store.ts'

/** Formats the message about an entry of a project; `undefined` if the caller can see none of its changes. */
export async function formatChangeMessage(
  store: Store,
  entry: StoredAuditEntry,
  project: string,
  access: Access
): Promise<string | undefined> {
  const changes = entry.changes.filter((change) => access.allows(permissionOf(entry, change), project))
  if (changes.length === 0) return undefined
  const { _id, createdAt: at, actor, idp_user } = entry
  const data: ProjectChange = {
    at,
    ...omitUndefined({ actor }),
    idp_user,
    types: [...new Set(changes.map(({ type }) => type))],
    resource: await findResource(store, entry, changes, project),
    environments: access.allows('environment:read', project) ? await listEnvironmentKeys(store, changes) : []
  }
  return `id: ${_id}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Formats the message that the client has to read everything again; `latest` is the id of the last entry. */
export function formatResetMessage(latest: string | undefined): string {
  return `event: reset\n${formatId(latest)}data: {}\n\n`
}

/** Formats the preamble: the reconnection delay, and the entry after which the stream starts. */
export function formatPreamble(retryMs: number, latest: string | undefined): string {
  return `retry: ${retryMs}\n${formatId(latest)}\n`
}

function formatId(id: string | undefined): string {
  return id === undefined ? '' : `id: ${id}\n`
}

/** The permission to see a change: that of reading the resource. All changes of a feature belong to it. */
function permissionOf({ _feature }: StoredAuditEntry, change: AuditLogChange): Permission {
  return (_feature === undefined ? permissions[kindOf(change) ?? ''] : undefined) ?? 'feature:read'
}

const permissions: Readonly<Record<string, Permission | undefined>> = {
  Project: 'project:read',
  Environment: 'environment:read',
  SdkKey: 'environment:read',
  UserSigningSecret: 'environment:read',
  Variable: 'variable:read',
  Audience: 'audience:read',
  Webhook: 'project:read',
  Override: 'project:read:overrides',
  UserProfile: 'project:read:overrides'
}

/** Returns the kind of the changed resource, for example `Environment`; `undefined` for a part of a feature. */
function kindOf({ type }: AuditLogChange): string | undefined {
  return /^(?:created|modified|deleted|expiring)(\w+)$/.exec(type)?.[1]
}

async function findResource(
  store: Store,
  { _feature }: StoredAuditEntry,
  changes: readonly AuditLogChange[],
  project: string
): Promise<ProjectChange['resource']> {
  if (_feature !== undefined) {
    const feature = await store.collection('features').get({ _id: _feature })
    const key =
      feature?.key ??
      textOf(
        changes.find(({ type }) => type === 'deletedFeature'),
        'key'
      )
    return { type: 'feature', id: _feature, ...omitUndefined({ key }) }
  }
  const change = changes.find((one) => kindOf(one) !== undefined)
  const kind = change && kindOf(change)
  if (!kind) return { type: 'project', id: project }
  // Keys and secrets are parts of an environment; their values are secret.
  if (kind === 'SdkKey' || kind === 'UserSigningSecret') {
    const [id] = change._environments ?? []
    const environment = id === undefined ? undefined : await store.collection('environments').get({ _id: id })
    return { type: 'environment', ...omitUndefined({ id, key: environment?.key }) }
  }
  const type = kind.charAt(0).toLowerCase() + kind.slice(1)
  return { type, ...omitUndefined({ id: textOf(change, '_id'), key: textOf(change, 'key') }) }
}

/** Returns a member of the changed resource: the new value, if it has one. */
function textOf(change: AuditLogChange | undefined, name: '_id' | 'key'): string | undefined {
  const places = [change?.newContents, change?.metadata, change?.previousContents]
  return places.map((place) => place?.[name]).find((value) => typeof value === 'string')
}

async function listEnvironmentKeys(store: Store, changes: readonly AuditLogChange[]): Promise<string[]> {
  const ids = new Set(changes.flatMap(({ _environments = [] }) => _environments))
  const keys = [...ids].map(async (_id) => (await store.collection('environments').get({ _id }))?.key ?? _id)
  return Promise.all(keys)
}
