import type { Resources } from '../../storage/resources.ts'
import type { Change, Page, Store, StoreWrite } from '../../storage/store.ts'
import { configMembers, hasSameMembers } from './affectedEnvironments.ts'
import type { ConfigInput } from './buildConfig.ts'

/** What configs are built from, kept in memory: a write replaces one item, and the others are not read again. */
export interface ConfigSources {
  /** Those of an environment, or undefined when there is none. A list is the same object until something in it changes that configs are built from. */
  readonly forEnvironment: (environment: string) => Promise<ConfigInput | undefined>
  /** Takes in what a change wrote. Changes come in order, and each before anybody asks for what it changed. */
  readonly apply: (change: Change) => void
}

/** Keeps the sources in a store from when they are first asked for. */
export function openConfigSources(store: Store): ConfigSources {
  const inOrder = (project: string) => {
    return { where: { _project: project }, sortBy: 'createdAt', sortOrder: 'asc' } as const
  }
  const projectOf = ({ _project }: { readonly _project: string }) => _project
  const environmentOf = ({ _environment }: { readonly _environment: string }) => _environment
  const lists = {
    features: new Lists('features', configMembers.features, projectOf, (project) => {
      return store.collection('features').list(inOrder(project))
    }),
    variables: new Lists('variables', configMembers.variables, projectOf, (project) => {
      return store.collection('variables').list(inOrder(project))
    }),
    audiences: new Lists('audiences', configMembers.audiences, projectOf, (project) => {
      return store.collection('audiences').list(inOrder(project))
    }),
    configurations: new Lists('configurations', configMembers.configurations, environmentOf, (environment) => {
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
      for (const list of Object.values(lists)) for (const write of writes) list.follow(write)
    }
  }
}

/** The items of one collection, in a list for each project or environment that owns them. */
class Lists<K extends keyof typeof configMembers> {
  readonly #name: K
  readonly #members: readonly (keyof Resources[K])[]
  readonly #ownerOf: (item: Resources[K]) => string
  readonly #read: (owner: string) => Promise<Page<Resources[K]>>
  readonly #byOwner = new Map<string, List<Resources[K]>>()
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
    if (known) return known.seen
    const writes = this.#writes
    const { items } = await this.#read(owner)
    // What was written meanwhile may be missing here.
    if (writes === this.#writes) this.#byOwner.set(owner, { stored: [...items], seen: items })
    return items
  }

  follow(write: StoreWrite): void {
    // Whatever is gone owns nothing.
    if (write.before && !write.after) this.#byOwner.delete(write.before._id)
    if (write.collection !== this.#name) return
    this.#writes++
    // The collection says what the items are.
    const { before, after } = write as unknown as { readonly before?: Resources[K]; readonly after?: Resources[K] }
    const list = before && this.#byOwner.get(this.#ownerOf(before))
    if (!before || !after || !list || !this.#replace(list, before, after)) {
      for (const item of [before, after]) if (item) this.#byOwner.delete(this.#ownerOf(item))
    }
  }

  /** Puts an item in the place of the one before; answers false when that is not there, or not where the new one belongs. */
  #replace(list: List<Resources[K]>, before: Resources[K], after: Resources[K]): boolean {
    const index = list.stored.indexOf(before)
    const isInPlace = this.#ownerOf(before) === this.#ownerOf(after) && before.createdAt === after.createdAt
    if (index < 0 || !isInPlace) return false
    list.stored[index] = after
    if (!hasSameMembers(before, after, this.#members)) list.seen = list.seen.with(index, after)
    return true
  }
}

/** The items of one owner. */
interface List<T> {
  readonly stored: T[]
  /** As configs see them: what was written since, and says the same to configs, stands here as it was. */
  seen: readonly T[]
}
