import { type SdkKeyType, sdkKeyTypes } from '@burgee/contract'
import type { AuditLogChange, GenerateSdkKeys, UpdateSdkKey } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { createdChange, deletedChange, diffContents } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import { itemNotFound, operationNotAllowed } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { maskSecret } from '../../lib/secrets/mask.ts'
import type { SdkKey, StoredEnvironment } from '../../storage/resources/project.ts'
import { newSdkKey } from './newEnvironment.ts'
import { restrictSdkKey } from './sdkKeyRestrictions.ts'

/** Adds an SDK key of each requested type. @throws {HttpError} 400 for a restriction that a type cannot have. */
export function generateSdkKeys(
  change: Edit,
  before: StoredEnvironment,
  body: GenerateSdkKeys,
  ids: IdGenerator
): Promise<StoredEnvironment> {
  const sdkKeys = { ...before.sdkKeys }
  const changes: AuditLogChange[] = []
  for (const type of sdkKeyTypes.filter((keyType) => body[keyType])) {
    const sdkKey = restrictSdkKey(newSdkKey(type, change, ids), type, body, change.at)
    sdkKeys[type] = [...sdkKeys[type], sdkKey]
    changes.push(createdChange('SdkKey', toAudited(type, sdkKey)))
  }
  return persistSdkKeys(change, before, sdkKeys, changes)
}

/** Changes the restrictions of an SDK key. @throws {HttpError} 400 or 404 */
export async function updateSdkKey(
  change: Edit,
  before: StoredEnvironment,
  reference: string,
  body: UpdateSdkKey
): Promise<StoredEnvironment> {
  const { type, sdkKey } = getSdkKey(before, reference)
  const restricted = restrictSdkKey(sdkKey, type, body, change.at)
  const changes = diffContents(toAudited(type, sdkKey), toAudited(type, restricted))
  if (!changes) return before
  const keys = before.sdkKeys[type].map((one) => (one === sdkKey ? restricted : one))
  const metadata = { type, key: maskSecret(sdkKey.key) }
  return persistSdkKeys(change, before, { ...before.sdkKeys, [type]: keys }, [
    { type: 'modifiedSdkKey', ...changes, metadata }
  ])
}

/** Removes an SDK key. @throws {HttpError} 404, or 405 for the last one of its type. */
export async function invalidateSdkKey(change: Edit, before: StoredEnvironment, reference: string): Promise<void> {
  const { type, sdkKey: removed } = getSdkKey(before, reference)
  const remaining = before.sdkKeys[type].filter((sdkKey) => sdkKey !== removed)
  if (remaining.length === 0) throw operationNotAllowed(`Cannot DELETE last item: create another ${type} key first`)
  await persistSdkKeys(change, before, { ...before.sdkKeys, [type]: remaining }, [
    deletedChange('SdkKey', toAudited(type, removed))
  ])
}

async function persistSdkKeys(
  { store, at, recordChanges }: Edit,
  before: StoredEnvironment,
  sdkKeys: StoredEnvironment['sdkKeys'],
  changes: readonly AuditLogChange[]
): Promise<StoredEnvironment> {
  const { _id, _project } = before
  await store.collection('environments').update(_id, { sdkKeys, updatedAt: at })
  recordChanges(
    { _project },
    changes.map((one) => ({ ...one, _environments: [_id] }))
  )
  return { ...before, sdkKeys, updatedAt: at }
}

/** Returns an SDK key of an environment and its type. @throws {HttpError} 404 */
function getSdkKey({ key, sdkKeys }: StoredEnvironment, reference: string): { type: SdkKeyType; sdkKey: SdkKey } {
  for (const type of sdkKeyTypes) {
    const sdkKey = sdkKeys[type].find((one) => one.key === reference)
    if (sdkKey) return { type, sdkKey }
  }
  throw itemNotFound('SDK key', maskSecret(reference), { within: `environment "${key}"` })
}

/** The members of an SDK key that audit entries show. */
function toAudited(
  type: SdkKeyType,
  { key, expiresAt, allowedNetworks, allowedOrigins }: SdkKey
): Readonly<Record<string, unknown>> {
  return { type, key: maskSecret(key), ...omitUndefined({ expiresAt, allowedNetworks, allowedOrigins }) }
}
