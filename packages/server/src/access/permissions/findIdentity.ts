import type { StoredClient, StoredOrganization, StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { isExpired } from '../restrictions/expiry.ts'
import { createAccess } from './access.ts'
import type { Identity } from './caller.ts'
import { effectiveGrants } from './effectiveGrants.ts'
import { parseWorkloadSubject, toWorkloadIdentity } from './workloadIdentity.ts'

/** Formats the subject of a client, as used in tokens, audit entries and `_createdBy`. */
export function formatClientSubject({ clientId }: Pick<StoredClient, 'clientId'>): string {
  return `${clientId}${CLIENTS}`
}

/** Parses the subject of a client. Returns undefined for other subjects. */
export function parseClientSubject(subject: string): string | undefined {
  return subject.endsWith(CLIENTS) ? subject.slice(0, -CLIENTS.length) : undefined
}

const CLIENTS = '@clients'

/** The identity of a client that acts for itself. Its roles apply in every permission mode. */
export function toClientIdentity(client: StoredClient): Identity {
  const { clientId, name, roles, permissions, _organization } = client
  return {
    id: formatClientSubject(client),
    name,
    organization: _organization,
    actor: 'client',
    clientId,
    access: createAccess({ grants: roles, mode: 'full', extendsToProjects: true, limit: toPermissionSet(permissions) })
  }
}

/** The identity of a person, directly or through a client, which can restrict the permissions. */
export function toUserIdentity(user: StoredUser, organization: StoredOrganization, client?: StoredClient): Identity {
  const { userId, name, email } = user
  const { mode, controlledBy } = organization.settings.permissions
  return {
    id: userId,
    name,
    email,
    organization: organization.key,
    actor: client?.isAssistant ? 'assistant' : 'person',
    ...(client ? { clientId: client.clientId } : {}),
    access: createAccess({
      grants: effectiveGrants(user, organization),
      mode,
      extendsToProjects: controlledBy === 'burgee',
      limit: toPermissionSet(client?.permissions)
    })
  }
}

/**
 * Returns the current identity of a subject, directly or through a client. Returns undefined if either is deleted or
 * disabled.
 */
export async function findIdentity(store: Store, subject: string, through?: string): Promise<Identity | undefined> {
  const trustKey = parseWorkloadSubject(subject)
  if (trustKey !== undefined) {
    const trust = await store.collection('workloadTrusts').get({ key: trustKey })
    return trust?.enabled ? toWorkloadIdentity(trust) : undefined
  }
  const clientId = parseClientSubject(subject)
  if (clientId !== undefined) {
    const client = await store.collection('clients').get({ clientId })
    return client && toClientIdentity(client)
  }
  const user = await store.collection('users').get({ userId: subject })
  const organization = user && (await store.collection('organizations').get({ key: user._organization }))
  const client = through === undefined ? undefined : await store.collection('clients').get({ clientId: through })
  const isActive = organization && !user.isDisabled && (client !== undefined || through === undefined)
  return isActive ? toUserIdentity(user, organization, client) : undefined
}

/**
 * Returns the identity of a subject that may act at a time, directly or through a client. Also returns undefined if its
 * client or trust has expired.
 */
export async function findActiveIdentity(
  store: Store,
  subject: string,
  { at, through }: { readonly at: string; readonly through?: string | undefined }
): Promise<Identity | undefined> {
  const key = parseWorkloadSubject(subject)
  const clientId = through ?? parseClientSubject(subject)
  const credential =
    key === undefined
      ? clientId !== undefined && (await store.collection('clients').get({ clientId }))
      : await store.collection('workloadTrusts').get({ key })
  return credential && isExpired(credential, Date.parse(at)) ? undefined : findIdentity(store, subject, through)
}

function toPermissionSet<T>(permissions: readonly T[] | undefined): ReadonlySet<T> | undefined {
  return permissions && new Set(permissions)
}
