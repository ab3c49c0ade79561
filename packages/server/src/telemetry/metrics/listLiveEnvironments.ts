import type { Store } from '../../storage/store.ts'

/** An existing environment with the values of its metric labels. */
export interface LiveEnvironment {
  readonly id: string
  /** The key of its project. */
  readonly project: string
  /** The key of the environment. */
  readonly environment: string
  /** When the current version of its config was created, in seconds since 1970. */
  readonly versionAt: number | undefined
}

/** Lists the existing environments with their current keys. */
export async function listLiveEnvironments(store: Pick<Store, 'collection'>): Promise<readonly LiveEnvironment[]> {
  const { items: projects } = await store.collection('projects').list()
  const { items: environments } = await store.collection('environments').list()
  const { items: versions } = await store.collection('configVersions').list()
  const keys = new Map(projects.map(({ _id, key }) => [_id, key]))
  const modifiedAt = new Map(versions.map(({ _id, lastModified }) => [_id, lastModified]))
  return environments.map(({ _id, _project, key }) => {
    return { id: _id, project: keys.get(_project) ?? '', environment: key, versionAt: modifiedAt.get(_id) }
  })
}
