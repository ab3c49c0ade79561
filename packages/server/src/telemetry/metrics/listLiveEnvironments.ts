import type { Store } from '../../storage/store.ts'

/** An environment that there is now. */
export interface LiveEnvironment {
  readonly id: string
  /** Key of its project. */
  readonly project: string
  /** Its own key. */
  readonly environment: string
  /** When the version of its config came about that is in force, in seconds since 1970. */
  readonly versionAt: number | undefined
}

/** The environments that there are, under the names that they have now. */
export async function listLiveEnvironments(store: Pick<Store, 'collection'>): Promise<readonly LiveEnvironment[]> {
  const { items: projects } = await store.collection('projects').list()
  const { items: environments } = await store.collection('environments').list()
  const { items: versions } = await store.collection('configVersions').list()
  const keys = new Map(projects.map(({ _id, key }) => [_id, key]))
  const moments = new Map(versions.map(({ _id, lastModified }) => [_id, lastModified]))
  return environments.map(({ _id, _project, key }) => {
    return { id: _id, project: keys.get(_project) ?? '', environment: key, versionAt: moments.get(_id) }
  })
}
