import type { StoredAuditEntry } from '../../storage/resources/history.ts'
import type { Change, Store } from '../../storage/store.ts'
import { findLatestEntryId } from './replay.ts'

/** The id of the last audit entry of each project, cached from the first query or change of the project on. */
export class LatestEntries {
  readonly #store: Store
  readonly #ids = new Map<string, string | undefined>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Returns the id of the last entry of a project; `undefined` if it has none. */
  async find(project: string): Promise<string | undefined> {
    if (this.#ids.has(project)) return this.#ids.get(project)
    const found = await findLatestEntryId(this.#store, project)
    // A change during the query is later than its result.
    if (!this.#ids.has(project)) this.#ids.set(project, found)
    return this.#ids.get(project)
  }

  /** Records the entries that a change added, and returns them by the id of their project. */
  record(change: Change): ReadonlyMap<string, readonly StoredAuditEntry[]> {
    const added = groupByProject(change)
    for (const [project, entries] of added) this.#ids.set(project, entries.at(-1)?._id)
    return added
  }
}

/** The added entries, by the id of their project. */
function groupByProject({ writes }: Change): ReadonlyMap<string, readonly StoredAuditEntry[]> {
  const groups = new Map<string, StoredAuditEntry[]>()
  for (const write of writes) {
    if (write.collection !== 'auditEntries' || write.before || !write.after) continue
    const { _project } = write.after
    if (_project === undefined) continue
    groups.set(_project, [...(groups.get(_project) ?? []), write.after])
  }
  return groups
}
