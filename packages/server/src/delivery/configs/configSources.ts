import type { Resources } from '../../storage/resources/collections.ts'
import type { StoredEnvironment, StoredProject } from '../../storage/resources/project.ts'
import type { Change, Page, Store, StoreWrite } from '../../storage/store.ts'
import { type ConfigView, configMembers, hasSameMembers } from './affectedEnvironments.ts'

/** The input of a config: one environment, and the resources of its project. */
export interface ConfigInput {
  readonly project: StoredProject
  readonly environment: StoredEnvironment
  readonly features: readonly ConfigView<'features'>[]
  /** The configurations in this environment. */
  readonly configurations: readonly ConfigView<'configurations'>[]
  readonly variables: readonly ConfigView<'variables'>[]
  readonly audiences: readonly ConfigView<'audiences'>[]
}

/**
 * The stored items that configs are built from, cached in memory. A write replaces one item without reading the others
 * again.
 */
export interface ConfigSources {
  /**
   * The items of an environment; undefined if it does not exist. A list stays the same object until an item in it
   * changes in a relevant member.
   */
  readonly forEnvironment: (environment: string) => Promise<ConfigInput | undefined>
  /** Applies the writes of a change. Changes arrive in order, before the affected items are read. */
  readonly apply: (change: Change) => void
}

/** Opens the sources of a store. Collections are loaded on first use. */
export function openConfigSources(store: Store): ConfigSources {
  const inOrder = (project: string) => {
    return { where: { _project: project }, sortBy: 'createdAt', sortOrder: 'asc' } as const
  }
  const projectOf = ({ _project }: { readonly _project: string }) => _project
  const environmentOf = ({ _environment }: { readonly _environment: string }) => _environment
  const lists = {
    features: new ListCache('features', configMembers.features, projectOf, (project) => {
      return store.collection('features').list(inOrder(project))
    }),
    variables: new ListCache('variables', configMembers.variables, projectOf, (project) => {
      return store.collection('variables').list(inOrder(project))
    }),
    audiences: new ListCache('audiences', configMembers.audiences, projectOf, (project) => {
      return store.collection('audiences').list(inOrder(project))
    }),
    configurations: new ListCache('configurations', configMembers.configurations, environmentOf, (environment) => {
      return store.collection('configurations').list({ where: { _environment: environment } })
    })
  }

  return {
    forEnvironment: async (id) => {
      const environment = await store.collection('environments').get({ _id: id })
      const project = environment && (await store.collection('projects').get({ _id: environment._project }))
      if (!environment || !project) return undefined
      const [features, configurations, variables, audiences] = await Promise.all([
        lists.features.of(project._id),
        lists.configurations.of(id),
        lists.variables.of(project._id),
        lists.audiences.of(project._id)
      ])
      return { project, environment, features, configurations, variables, audiences }
    },
    apply: ({ writes }) => {
      for (const list of Object.values(lists)) for (const write of writes) list.apply(write)
    }
  }
}

/** The items of one collection, listed by the project or environment that owns them. */
class ListCache<K extends keyof typeof configMembers> {
  readonly #name: K
  readonly #members: readonly (keyof Resources[K])[]
  readonly #ownerOf: (item: Resources[K]) => string
  readonly #read: (owner: string) => Promise<Page<Resources[K]>>
  readonly #byOwner = new Map<string, CachedList<Resources[K]>>()
  #writes = 0

  constructor(
    name: K,
    members: readonly (keyof Resources[K])[],
    ownerOf: (item: Resources[K]) => string,
    read: (owner: string) => Promise<Page<Resources[K]>>
  ) {
    this.#name = name
    this.#members = members
    this.#ownerOf = ownerOf
    this.#read = read
  }

  async of(owner: string): Promise<readonly Resources[K][]> {
    const known = this.#byOwner.get(owner)
    if (known) return known.forConfigs
    const writes = this.#writes
    const { items } = await this.#read(owner)
    // Writes that happen during the read may be missing here.
    if (writes === this.#writes) this.#byOwner.set(owner, { stored: [...items], forConfigs: items })
    return items
  }

  apply(write: StoreWrite): void {
    // A deleted owner has no items.
    if (write.before && !write.after) this.#byOwner.delete(write.before._id)
    if (write.collection !== this.#name) return
    this.#writes++
    // The collection determines the type of its items.
    const { before, after } = write as unknown as { readonly before?: Resources[K]; readonly after?: Resources[K] }
    const list = before && this.#byOwner.get(this.#ownerOf(before))
    if (!before || !after || !list || !this.#replace(list, before, after)) {
      for (const item of [before, after]) if (item) this.#byOwner.delete(this.#ownerOf(item))
    }
  }

  /** Replaces an item. Returns false if the previous item is missing or has another owner. */
  #replace(list: CachedList<Resources[K]>, before: Resources[K], after: Resources[K]): boolean {
    const index = list.stored.indexOf(before)
    const isInPlace = this.#ownerOf(before) === this.#ownerOf(after) && before.createdAt === after.createdAt
    if (index < 0 || !isInPlace) return false
    list.stored[index] = after
    if (!hasSameMembers(before, after, this.#members)) list.forConfigs = list.forConfigs.with(index, after)
    return true
  }
}

/** The items of one owner. */
interface CachedList<T> {
  readonly stored: T[]
  /** An update without changes that are relevant to configs keeps the previous object. */
  forConfigs: readonly T[]
}
