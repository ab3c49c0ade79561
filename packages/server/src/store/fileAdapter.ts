import { readFile } from 'node:fs/promises'
import type { Adapter } from 'lowdb'
import { writeDurably } from '../disk/writeDurably.ts'
import { documentText, readDocument } from './document.ts'
import { deepFreeze } from './frozen.ts'
import { type Migration, migrate, newestVersion } from './migration.ts'
import { RESTORE, refusal } from './refusal.ts'
import { flagData, type Items, type State, stateOf } from './state.ts'
import { isItem } from './table.ts'

/**
 * lowdb's adapter for `db.json`, which holds everything but the user data: it writes durably and refuses to read what it
 * cannot trust.
 */
export class FileAdapter implements Adapter<State> {
  readonly #path: string
  readonly #migrations: readonly Migration[]
  readonly #onNotice: (message: string) => void
  #revision = 0

  constructor(path: string, migrations: readonly Migration[], onNotice: (message: string) => void) {
    this.#path = path
    this.#migrations = migrations
    this.#onNotice = onNotice
  }

  /** The state in the file. An older document is copied beside it, and replaced, before anything else is written. */
  async read(): Promise<State> {
    const bytes = await readFile(this.#path)
    const newest = newestVersion(this.#migrations)
    const { schemaVersion, revision, data } = readDocument(this.#path, bytes, newest)
    this.#revision = revision
    if (schemaVersion === newest) return this.#stateOf(data)
    const copy = `${this.#path}.v${schemaVersion}.bak`
    await writeDurably(copy, bytes.toString())
    const state = this.#stateOf(this.#migrate(data, schemaVersion, copy))
    await this.write(state)
    this.#onNotice(
      `${this.#path} was brought from schema version ${schemaVersion} to ${newest}; ${copy} is what it was`
    )
    return state
  }

  async write(state: State): Promise<void> {
    const revision = this.#revision + 1
    const data = Object.fromEntries(flagData.map((name) => [name, [...state[name].items.values()]]))
    await writeDurably(this.#path, documentText({ schemaVersion: newestVersion(this.#migrations), revision, data }))
    this.#revision = revision
  }

  #migrate(data: unknown, schemaVersion: number, copy: string): unknown {
    try {
      return migrate(data, schemaVersion, this.#migrations)
    } catch (cause) {
      const wrong = `could not be brought from schema version ${schemaVersion} to ${newestVersion(this.#migrations)}`
      throw refusal(
        this.#path,
        wrong,
        `it was left as it is (and copied to ${copy}); start the Burgee that wrote it`,
        cause
      )
    }
  }

  #stateOf(data: unknown): State {
    try {
      return stateOf(itemsOf(data))
    } catch (cause) {
      throw refusal(this.#path, `does not have the shape of a store: ${String(cause)}`, RESTORE, cause)
    }
  }
}

function itemsOf(data: unknown): Items {
  if (typeof data !== 'object' || data === null) throw new Error('its data are not an object')
  const collections = new Map<string, unknown>(Object.entries(data))
  for (const name of flagData) {
    const items = collections.get(name)
    if (!Array.isArray(items)) throw new Error(`its ${name} are not a list`)
    if (!items.every(isItem)) throw new Error(`its ${name} are not all items with an _id`)
    collections.delete(name)
  }
  if (collections.size > 0)
    throw new Error(`its data have the unknown collections ${[...collections.keys()].join(', ')}`)
  // Each collection is a list of items, and the checksum vouches for their members: this program wrote them.
  return deepFreeze(data) as Items
}
