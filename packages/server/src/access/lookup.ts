import { itemNotFound } from '../lib/errors.ts'
import type { Resources, StoredFeature, StoredProject } from '../storage/resources.ts'
import type { ItemMatch, Store } from '../storage/store.ts'
import { assertPermission } from './permissions/assertPermission.ts'
import type { TokenCaller } from './permissions/caller.ts'

/** The collections whose items are named by key or id, within a project. */
type KeyedCollection = {
  [K in keyof Resources]: Resources[K] extends { readonly _project: string; readonly key: string } ? K : never
}[keyof Resources]

/**
 * The project that a request names by key or id.
 * @throws {ApiError} 404 when there is none that the caller may see, 403 when they may not do in it what they ask for.
 */
export async function getProject(store: Store, reference: string, caller: TokenCaller): Promise<StoredProject> {
  const projects = store.collection('projects')
  const project = (await projects.get({ key: reference })) ?? (await projects.get({ _id: reference }))
  const isVisible = project?._organization === caller.organization && caller.access.canSeeProject(project._id)
  if (!project || !isVisible) throw itemNotFound(reference)
  assertPermission(caller, caller.requiredPermission, project._id)
  return project
}

/** The feature that a request addresses, and its project. @throws {ApiError} 404 */
export async function getFeature(
  store: Store,
  address: FeaturePath,
  caller: TokenCaller
): Promise<{ readonly project: StoredProject; readonly feature: StoredFeature }> {
  const project = await getProject(store, address.project, caller)
  return { project, feature: await getInProject(store, 'features', project, address.feature) }
}

/** A feature as requests address it: each by key or id. */
export interface FeaturePath {
  readonly project: string
  readonly feature: string
}

/** The resource of a project that a request names. @throws {ApiError} 404 */
export async function getInProject<K extends KeyedCollection>(
  store: Store,
  collection: K,
  project: Pick<StoredProject, '_id'>,
  reference: string
): Promise<Resources[K]> {
  const found = await findInProject(store, collection, project, reference)
  if (!found) throw itemNotFound(reference)
  return found
}

/** The environment that a request names by key or id, or else all of the project, by their ids. @throws {ApiError} 404 */
export async function listEnvironmentIds(
  store: Store,
  project: Pick<StoredProject, '_id'>,
  reference: string | undefined
): Promise<readonly string[]> {
  if (reference !== undefined) return [(await getInProject(store, 'environments', project, reference))._id]
  const { items } = await store.collection('environments').list({ where: { _project: project._id } })
  return items.map(({ _id }) => _id)
}

/** The resource of a project that goes by this name, if there is one: by key, or else by id. */
export async function findInProject<K extends KeyedCollection>(
  store: Store,
  collection: K,
  { _id: _project }: Pick<StoredProject, '_id'>,
  reference: string
): Promise<Resources[K] | undefined> {
  const items = store.collection(collection)
  // Every collection of `InProject` has these members.
  const by = (match: { readonly key: string } | { readonly _id: string }) =>
    items.get({ _project, ...match } as unknown as ItemMatch<Resources[K]>)
  return (await by({ key: reference })) ?? (await by({ _id: reference }))
}

/** Of these items, the one that goes by this name: by key, or else by id. */
export function findByKeyOrId<T extends { readonly _id: string; readonly key: string }>(
  items: readonly T[],
  reference: string
): T | undefined {
  return items.find(({ key }) => key === reference) ?? items.find(({ _id }) => _id === reference)
}

/** What `named` answers, for many names: the items are looked through once. */
export function indexByKeyOrId<T extends { readonly _id: string; readonly key: string }>(
  items: readonly T[]
): (reference: string) => T | undefined {
  const byKey = new Map(items.map((item) => [item.key, item]))
  const byId = new Map(items.map((item) => [item._id, item]))
  return (reference) => byKey.get(reference) ?? byId.get(reference)
}
