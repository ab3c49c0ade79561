import type { TokenCaller } from './caller.ts'
import { itemNotFound } from './errors.ts'
import type { Resources, StoredProject } from './store/resources.ts'
import type { Match, Store } from './store/store.ts'

/** The collections whose items are named by key or id, within a project. */
type InProject = {
  [K in keyof Resources]: Resources[K] extends { readonly _project: string; readonly key: string } ? K : never
}[keyof Resources]

/** The project that a request names by key or id. @throws {ApiError} 404 when there is none in the caller's organization. */
export async function findProject(store: Store, reference: string, caller: TokenCaller): Promise<StoredProject> {
  const projects = store.collection('projects')
  const project = (await projects.get({ key: reference })) ?? (await projects.get({ _id: reference }))
  if (!project || project._organization !== caller.organization) throw itemNotFound(reference)
  return project
}

/** The resource of a project that a request names: by key, or else by id. @throws {ApiError} 404 */
export async function findIn<K extends InProject>(
  store: Store,
  collection: K,
  { _id: _project }: Pick<StoredProject, '_id'>,
  reference: string
): Promise<Resources[K]> {
  const items = store.collection(collection)
  // Every collection of `InProject` has these members.
  const by = (match: { readonly key: string } | { readonly _id: string }) =>
    items.get({ _project, ...match } as unknown as Match<Resources[K]>)
  const found = (await by({ key: reference })) ?? (await by({ _id: reference }))
  if (!found) throw itemNotFound(reference)
  return found
}
