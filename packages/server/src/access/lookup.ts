import type { Permission } from '@burgee/contract'
import { findNearest } from '@burgee/kit/text'
import { itemNotFound } from '../lib/errors.ts'
import type { Resources } from '../storage/resources/collections.ts'
import type { StoredFeature } from '../storage/resources/feature.ts'
import type { StoredProject } from '../storage/resources/project.ts'
import type { Collection, ItemMatch, Store } from '../storage/store.ts'
import { assertPermission } from './permissions/assertPermission.ts'
import type { TokenCaller } from './permissions/caller.ts'

/** Collections of a project whose items have a key. */
type KeyedCollection = {
  [K in keyof Resources]: Resources[K] extends { readonly _project: string; readonly key: string } ? K : never
}[keyof Resources]

/**
 * Returns the project with this key or id.
 * @throws {HttpError} 404 if the caller cannot see such a project, 403 if the caller lacks the required permission in
 * it.
 */
export async function getProject(store: Store, reference: string, caller: TokenCaller): Promise<StoredProject> {
  const project = await findStoredByKeyOrId(store.collection('projects'), reference, 'key', {})
  const isVisible = project?._organization === caller.organization && caller.access.canSeeProject(project._id)
  if (!project || !isVisible) {
    throw itemNotFound('project', reference, { nearest: await nearestProject(store, reference, caller) })
  }
  assertPermission(caller, caller.requiredPermission, project._id)
  return project
}

async function nearestProject(
  store: Store,
  reference: string,
  { organization: _organization, access }: TokenCaller
): Promise<string | undefined> {
  const { items } = await store.collection('projects').list({ where: { _organization } })
  const visible = items.filter(({ _id }) => access.canSeeProject(_id) && access.allows('project:read', _id))
  return findNearest(
    reference,
    visible.map(({ key }) => key)
  )
}

/** Returns a feature and its project. @throws {HttpError} 404 */
export async function getFeature(
  store: Store,
  path: FeaturePath,
  caller: TokenCaller
): Promise<{ readonly project: StoredProject; readonly feature: StoredFeature }> {
  const project = await getProject(store, path.project, caller)
  return { project, feature: await getInProject(store, 'features', project, path.feature, caller) }
}

/** The path of a feature in a request: project and feature, each by key or id. */
export interface FeaturePath {
  readonly project: string
  readonly feature: string
}

/**
 * Returns the resource of a project with this key or id.
 * @throws {HttpError} 404; suggests the nearest key if `caller` may read it.
 */
export async function getInProject<K extends KeyedCollection>(
  store: Store,
  collection: K,
  project: ProjectReference,
  reference: string,
  caller?: Pick<TokenCaller, 'access'>
): Promise<Resources[K]> {
  const found = await findInProject(store, collection, project, reference)
  if (found) return found
  const { name, permission } = kinds[collection]
  const mayRead = caller?.access.allows(permission, project._id)
  throw itemNotFound(name, reference, {
    within: project.key === undefined ? 'this project' : `project "${project.key}"`,
    nearest: mayRead ? findNearest(reference, await listKeys(store, collection, project)) : undefined
  })
}

interface ProjectReference {
  readonly _id: string
  readonly key?: string
}

/** The names of resources in messages, and the permissions to read them. */
const kinds: { readonly [K in KeyedCollection]: { readonly name: string; readonly permission: Permission } } = {
  environments: { name: 'environment', permission: 'environment:read' },
  features: { name: 'feature', permission: 'feature:read' },
  variables: { name: 'variable', permission: 'variable:read' },
  audiences: { name: 'audience', permission: 'audience:read' },
  customProperties: { name: 'custom property', permission: 'feature:read' },
  metrics: { name: 'metric', permission: 'feature:read' }
}

async function listKeys(
  store: Store,
  collection: KeyedCollection,
  { _id: _project }: ProjectReference
): Promise<readonly string[]> {
  // Every `KeyedCollection` has this member.
  const where = { _project } as unknown as ItemMatch<Resources[KeyedCollection]>
  const { items } = await store.collection(collection).list({ where, perPage: MAX_KEYS })
  return items.map(({ key }) => key)
}

/** The largest number of keys to compare with a misspelled one. */
const MAX_KEYS = 1_000

/**
 * Returns the id of the environment with this key or id, or the ids of all environments of the project if none is
 * given.
 * @throws {HttpError} 404
 */
export async function listEnvironmentIds(
  store: Store,
  project: ProjectReference,
  reference: string | undefined,
  caller?: Pick<TokenCaller, 'access'>
): Promise<readonly string[]> {
  if (reference !== undefined) return [(await getInProject(store, 'environments', project, reference, caller))._id]
  const { items } = await store.collection('environments').list({ where: { _project: project._id } })
  return items.map(({ _id }) => _id)
}

/** Returns the resource of a project with this id, else with this key. */
export function findInProject<K extends KeyedCollection>(
  store: Store,
  collection: K,
  { _id: _project }: Pick<StoredProject, '_id'>,
  reference: string
): Promise<Resources[K] | undefined> {
  // Every `KeyedCollection` has these members.
  return findStoredByKeyOrId(store.collection(collection), reference, 'key', { _project } as unknown as ItemMatch<
    Resources[K]
  >)
}

/**
 * Returns the item with this id, else the one whose key is in the member `keyMember`: an item whose key is the id of
 * another one never receives requests for the other one.
 */
export async function findStoredByKeyOrId<T extends { readonly _id: string }>(
  items: Collection<T>,
  reference: string,
  keyMember: keyof T & string,
  scope: ItemMatch<T>
): Promise<T | undefined> {
  return (await items.get({ ...scope, _id: reference })) ?? (await items.get({ ...scope, [keyMember]: reference }))
}

/** Returns a lookup with the rules of `findByKeyOrId` that reads the items once. */
export function indexByKeyOrId<T extends { readonly _id: string; readonly key: string }>(
  items: readonly T[]
): (reference: string) => T | undefined {
  const byKey = new Map(items.map((item) => [item.key, item]))
  const byId = new Map(items.map((item) => [item._id, item]))
  return (reference) => byId.get(reference) ?? byKey.get(reference)
}
