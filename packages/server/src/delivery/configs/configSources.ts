import type { Resources } from '../../storage/resources/collections.ts'
import type { StoredEnvironment, StoredProject } from '../../storage/resources/project.ts'
import type { Change, Store, StoreWrite } from '../../storage/store.ts'
import { type ConfigView, configMembers, hasSameMembers } from './affectedEnvironments.ts'
import type { ProjectLists } from './projectIndex.ts'
import { ProjectViews } from './sdkViews.ts'

/** The input of a config: one environment, and the resources of its project. */
export interface ConfigInput extends ProjectLists {
  readonly project: StoredProject
  readonly environment: StoredEnvironment
  /** The configurations in this environment. */
  readonly configurations: readonly ConfigView<'configurations'>[]
  readonly audiences: readonly ConfigView<'audiences'>[]
  /**
   * What each type of key sees of these lists. All inputs of a project share it, so it is updated instead of rebuilt.
   */
  readonly views?: ProjectViews | undefined
}

/**
 * The stored items that configs are built from, in memory. They follow the changes of the store and are not read again:
 * the store can already contain later changes, and a mixture of states was never valid.
 */
export interface ConfigSources {
  /**
   * The items of an environment; undefined if it does not exist. A list stays the same object until an item in it
   * changes in a relevant member.
   */
  readonly forEnvironment: (environment: string) => ConfigInput | undefined
  /** Applies the writes of a change. Changes arrive in order. */
  readonly apply: (change: Change) => void
}

/** Loads the sources of a store. */
export function openConfigSources(store: Store): Promise<ConfigSources> {
  // A transaction reads all of them at the same moment.
  return store.transaction(async (transaction) => {
    const load = async <K extends keyof Resources>(name: K) => (await transaction.collection(name).list()).items
    const projects = new Map((await load('projects')).map((project) => [project._id, project]))
    const environments = new Map((await load('environments')).map((environment) => [environment._id, environment]))
    const projectOf = ({ _project }: { readonly _project: string }) => _project
    const environmentOf = ({ _environment }: { readonly _environment: string }) => _environment
    const views = new Map<string, ProjectViews>()
    const lists = {
      features: new ListsByOwner('features', configMembers.features, await load('features'), projectOf, byCreation),
      variables: new ListsByOwner('variables', configMembers.variables, await load('variables'), projectOf, byCreation),
      audiences: new ListsByOwner('audiences', configMembers.audiences, await load('audiences'), projectOf, byCreation),
      configurations: new ListsByOwner(
        'configurations',
        configMembers.configurations,
        await load('configurations'),
        environmentOf,
        byId
      )
    }
    return {
      forEnvironment: (id) => {
        const environment = environments.get(id)
        const project = environment && projects.get(environment._project)
        if (!environment || !project) return undefined
        const known = views.get(project._id) ?? new ProjectViews()
        views.set(project._id, known)
        return {
          project,
          environment,
          views: known,
          features: lists.features.of(project._id),
          configurations: lists.configurations.of(id),
          variables: lists.variables.of(project._id),
          audiences: lists.audiences.of(project._id)
        }
      },
      apply: ({ writes }) => {
        for (const write of writes) {
          if (write.collection === 'projects') applyTo(projects, write)
          if (write.collection === 'projects' && write.before && !write.after) views.delete(write.before._id)
          if (write.collection === 'environments') applyTo(environments, write)
          for (const list of Object.values(lists)) list.apply(write)
        }
      }
    }
  })
}

/** Applies a write to items by id. */
function applyTo<T extends { readonly _id: string }>(
  items: Map<string, T>,
  { before, after }: { readonly before?: T; readonly after?: T }
): void {
  if (after) items.set(after._id, after)
  else if (before) items.delete(before._id)
}

type Order<T> = (one: T, other: T) => number

const byId: Order<{ readonly _id: string }> = (one, other) => compareTexts(one._id, other._id)

const byCreation: Order<{ readonly _id: string; readonly createdAt: string }> = (one, other) =>
  compareTexts(one.createdAt, other.createdAt) || byId(one, other)

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1
}

/** The items of one collection, listed by the project or environment that owns them. */
class ListsByOwner<K extends keyof typeof configMembers> {
  readonly #name: K
  readonly #members: readonly (keyof Resources[K])[]
  readonly #ownerOf: (item: Resources[K]) => string
  readonly #order: Order<Resources[K]>
  readonly #byOwner = new Map<string, OwnedItems<Resources[K]>>()

  constructor(
    name: K,
    members: readonly (keyof Resources[K])[],
    items: readonly Resources[K][],
    ownerOf: (item: Resources[K]) => string,
    order: Order<Resources[K]>
  ) {
    this.#name = name
    this.#members = members
    this.#ownerOf = ownerOf
    this.#order = order
    for (const item of items) this.#ownedWith(item).byId.set(item._id, item)
  }

  of(owner: string): readonly Resources[K][] {
    const owned = this.#byOwner.get(owner)
    if (!owned) return NO_ITEMS
    if (!owned.list) owned.list = [...owned.byId.values()].sort(this.#order)
    else if (owned.changes.length > 0) owned.list = this.#edit(owned.list, owned.changes)
    owned.changes = []
    return owned.list
  }

  apply(write: StoreWrite): void {
    // A deleted owner has no items.
    if (write.before && !write.after) this.#byOwner.delete(write.before._id)
    if (write.collection !== this.#name) return
    // The collection determines the type of its items.
    const { before, after } = write as unknown as { readonly before?: Resources[K]; readonly after?: Resources[K] }
    if (before && after && this.#isEquivalent(before, after)) return
    if (before) {
      const owned = this.#ownedWith(before)
      owned.byId.delete(before._id)
      this.#recordChange(owned, { item: before, isAdded: false })
      // The owner may have been deleted too.
      if (owned.byId.size === 0) this.#byOwner.delete(this.#ownerOf(before))
    }
    if (after) {
      const owned = this.#ownedWith(after)
      owned.byId.set(after._id, after)
      this.#recordChange(owned, { item: after, isAdded: true })
    }
  }

  /** Records a change for the next read. After too many changes, the next read sorts the list again instead. */
  #recordChange(owned: OwnedItems<Resources[K]>, change: ListChange<Resources[K]>): void {
    if (owned.list && owned.changes.length < MAX_EDITS) owned.changes.push(change)
    else {
      owned.list = undefined
      owned.changes = []
    }
  }

  /** Returns a list after changes. Makes one copy, unless it has to grow by several items. */
  #edit(list: readonly Resources[K][], changes: readonly ListChange<Resources[K]>[]): readonly Resources[K][] {
    const [change] = changes
    if (change && changes.length === 1) return list.toSpliced(...this.#spliceOf(list, change))
    const edited = list.slice()
    for (const change of changes) edited.splice(...this.#spliceOf(edited, change))
    return edited
  }

  /** Returns the arguments of `splice` for a change. The list can contain an earlier state of a removed item. */
  #spliceOf(list: readonly Resources[K][], { item, isAdded }: ListChange<Resources[K]>): Splice<Resources[K]> {
    let [start, end] = [0, list.length]
    while (start < end) {
      const middle = (start + end) >> 1
      const other = list[middle]
      if (other && this.#order(other, item) < 0) start = middle + 1
      else end = middle
    }
    if (isAdded) return [start, 0, item]
    if (list[start]?._id === item._id) return [start, 1]
    const position = list.findIndex(({ _id }) => _id === item._id)
    return position < 0 ? [start, 0] : [position, 1]
  }

  /** Whether configs have no use for a change. The previous object stays in the list then. */
  #isEquivalent(before: Resources[K], after: Resources[K]): boolean {
    const isInPlace = this.#ownerOf(before) === this.#ownerOf(after) && this.#order(before, after) === 0
    return isInPlace && hasSameMembers(before, after, this.#members)
  }

  #ownedWith(item: Resources[K]): OwnedItems<Resources[K]> {
    const owner = this.#ownerOf(item)
    const owned = this.#byOwner.get(owner) ?? { byId: new Map(), list: undefined, changes: [] }
    this.#byOwner.set(owner, owned)
    return owned
  }
}

const NO_ITEMS: readonly never[] = []

/** The maximum number of changes that a list follows one by one, instead of being sorted again. */
const MAX_EDITS = 100

type Splice<T> = [start: number, deleteCount: number, ...items: T[]]

interface ListChange<T> {
  readonly item: T
  readonly isAdded: boolean
}

/** The items of one owner. */
interface OwnedItems<T> {
  readonly byId: Map<string, T>
  /** The same items in order, without the last changes. */
  list: readonly T[] | undefined
  changes: ListChange<T>[]
}
