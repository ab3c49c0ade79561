import type { TokenCaller } from '../../access/permissions/caller.ts'
import { unauthorized } from '../../lib/errors.ts'
import type { Resources } from '../../storage/resources/collections.ts'
import type { Store, StoreWrite } from '../../storage/store.ts'

/** A caller who follows the changes of a project. */
export interface ChangeSubscriber {
  /** The id of the project. */
  readonly project: string
  readonly caller: TokenCaller
  /** Verifies the token of the request again. @throws {HttpError} if it is no longer accepted. */
  readonly reauthenticate: () => Promise<TokenCaller>
}

/** Asserts that the caller still has access to the project. @throws {HttpError} */
export async function assertAccess(store: Store, { project, reauthenticate }: ChangeSubscriber): Promise<TokenCaller> {
  const caller = await reauthenticate()
  const found = await store.collection('projects').get({ _id: project, _organization: caller.organization })
  const { access } = caller
  if (found && access.canSeeProject(project) && access.allows('project:read', project)) return caller
  throw unauthorized('the project is no longer visible')
}

/** Whether a write can end the access of a caller. */
export function canChangeAccess(write: StoreWrite): boolean {
  // Each audit entry changes the head of its organization.
  if (write.collection === 'organizations') {
    return JSON.stringify(write.before?.settings) !== JSON.stringify(write.after?.settings)
  }
  return accessCollections.has(write.collection)
}

const accessCollections: ReadonlySet<keyof Resources> = new Set([
  'users',
  'clients',
  'revocations',
  'workloadTrusts',
  'projects'
])
