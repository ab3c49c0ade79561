import type { Identity } from '../caller.ts'
import type { StoredClient, StoredOrganization, StoredUser } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { accessOf } from './access.ts'
import { grantsOf } from './grantsOf.ts'

/** A client as tokens, audit entries and `_createdBy` name it. */
export function subjectOf({ clientId }: Pick<StoredClient, 'clientId'>): string {
  return `${clientId}${CLIENTS}`
}

/** The client that such a name means, if it means one. */
export function clientIdOf(subject: string): string | undefined {
  return subject.endsWith(CLIENTS) ? subject.slice(0, -CLIENTS.length) : undefined
}

const CLIENTS = '@clients'

/** A client that acts for itself. What its roles say holds whatever the mode of the organization is. */
export function identityOfClient(client: StoredClient): Identity {
  const { clientId, name, roles, permissions, _organization, _createdBy } = client
  return {
    id: subjectOf(client),
    name,
    organization: _organization,
    actor: 'client',
    clientId,
    ...(_createdBy === undefined ? {} : { maker: _createdBy }),
    access: accessOf({ grants: roles, mode: 'full', reachesProjects: true, limit: limitOf(permissions) })
  }
}

/** A person, by themselves or through a client, which can hold some of their permissions back. */
export function identityOfUser(user: StoredUser, organization: StoredOrganization, client?: StoredClient): Identity {
  const { userId, name, email } = user
  const { mode, controlledBy } = organization.settings.permissions
  return {
    id: userId,
    name,
    email,
    organization: organization.key,
    actor: client?.isAssistant ? 'assistant' : 'person',
    ...(client ? { clientId: client.clientId } : {}),
    access: accessOf({
      grants: grantsOf(user, organization),
      mode,
      reachesProjects: controlledBy === 'burgee',
      limit: limitOf(client?.permissions)
    })
  }
}

/** Whoever this name means, as they are now, by themselves or through a client; nobody when either is gone or disabled. */
export async function identify(store: Store, subject: string, through?: string): Promise<Identity | undefined> {
  const clientId = clientIdOf(subject)
  if (clientId !== undefined) {
    const client = await store.collection('clients').get({ clientId })
    return client && identityOfClient(client)
  }
  const user = await store.collection('users').get({ userId: subject })
  const organization = user && (await store.collection('organizations').get({ key: user._organization }))
  const client = through === undefined ? undefined : await store.collection('clients').get({ clientId: through })
  const isThere = organization && !user.isDisabled && (client !== undefined || through === undefined)
  return isThere ? identityOfUser(user, organization, client) : undefined
}

function limitOf<T>(permissions: readonly T[] | undefined): ReadonlySet<T> | undefined {
  return permissions && new Set(permissions)
}
