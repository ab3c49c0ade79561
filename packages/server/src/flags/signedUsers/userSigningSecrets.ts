import { type AuditLogChange, MAX_USER_SIGNING_SECRETS, type UserSigningSecret } from '@burgee/contract/schemas'
import { createdChange, deletedChange } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import { conflict, itemNotFound, operationNotAllowed, preconditionFailed } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { maskSecret } from '../../lib/secrets/mask.ts'
import type { StoredEnvironment } from '../../storage/resources/project.ts'
import { formatRequestLine } from '../approvals/formatRequestLine.ts'

/** An environment after a change of its signing secrets, with the changes to record. */
interface SecretsUpdate {
  readonly environment: StoredEnvironment
  readonly changes: readonly AuditLogChange[]
}

/** Adds the first signing secret to an environment with signed users. Returns other environments unchanged. */
export function ensureUserSigningSecret(
  environment: StoredEnvironment,
  change: Pick<Edit, 'id' | 'at'>,
  ids: IdGenerator
): SecretsUpdate {
  if (!lacksSigningSecret(environment)) return { environment, changes: [] }
  return withSigningSecret(environment, newUserSigningSecret(change, ids))
}

/**
 * Returns an environment that has the signing secret that its settings require. Change requests do not create secrets:
 * the effect of a request is reviewed, and a secret differs each time.
 * @throws {HttpError} 412
 */
export function assertHasSigningSecret(environment: StoredEnvironment): SecretsUpdate {
  if (!lacksSigningSecret(environment)) return { environment, changes: [] }
  const { key, _project } = environment
  const add = formatRequestLine('createUserSigningSecret', { project: _project, environment: key })
  throw preconditionFailed(`environment "${key}" has no user signing secret: add one with ${add} first`)
}

function lacksSigningSecret({ settings, userSigningSecrets = [] }: StoredEnvironment): boolean {
  return (settings.signedUsers ?? 'off') !== 'off' && userSigningSecrets.length === 0
}

/** Adds a signing secret. @throws {HttpError} 409 if the environment has the maximum number. */
export function withSigningSecret(environment: StoredEnvironment, added: UserSigningSecret): SecretsUpdate {
  const { key, userSigningSecrets: secrets = [] } = environment
  if (secrets.length >= MAX_USER_SIGNING_SECRETS) {
    const count = `${secrets.length} user signing secrets (limit: ${MAX_USER_SIGNING_SECRETS})`
    throw conflict(`environment "${key}" has ${count}; remove one before you add another`)
  }
  return {
    environment: { ...environment, userSigningSecrets: [...secrets, added] },
    changes: [createdChange('UserSigningSecret', toAudited(added))]
  }
}

/**
 * Removes a signing secret.
 * @throws {HttpError} 404 if there is none with this id, 405 for the last one while users must be signed.
 */
export function withoutSigningSecret(environment: StoredEnvironment, id: string): SecretsUpdate {
  const { key, settings, userSigningSecrets: secrets = [] } = environment
  const removed = secrets.find(({ _id }) => _id === id)
  if (!removed) throw itemNotFound('user signing secret', id, { within: `environment "${key}"` })
  const { signedUsers = 'off' } = settings
  if (secrets.length === 1 && signedUsers !== 'off') {
    const rule = `signedUsers of environment "${key}" is "${signedUsers}"`
    throw operationNotAllowed(`Cannot DELETE last item: ${rule}; add another secret first, or set it to "off"`)
  }
  return {
    environment: { ...environment, userSigningSecrets: secrets.filter((secret) => secret !== removed) },
    changes: [deletedChange('UserSigningSecret', toAudited(removed))]
  }
}

/** Writes the signing secrets of an environment, and records the changes. */
export async function persistSigningSecrets(
  { store, at, recordChanges }: Edit,
  { environment, changes }: SecretsUpdate
): Promise<void> {
  const { _id, _project, userSigningSecrets = [] } = environment
  await store.collection('environments').update(_id, { userSigningSecrets, updatedAt: at })
  recordChanges(
    { _project },
    changes.map((change) => ({ ...change, _environments: [_id] }))
  )
}

/** Creates a signing secret. */
export function newUserSigningSecret({ id, at }: Pick<Edit, 'id' | 'at'>, ids: IdGenerator): UserSigningSecret {
  return { _id: id(), createdAt: at, secret: ids.userSigningSecret() }
}

function toAudited({ _id, secret }: UserSigningSecret): object {
  return { _id, secret: maskSecret(secret) }
}
