import { encryptedMembers, type ItemCodec } from '../encryption/itemCodec.ts'
import { type Resources, uniqueKeys } from '../resources/collections.ts'
import { DuplicateError, type ItemMatch, type Page, type Query, type Scan } from '../store.ts'
import { deepFreeze } from '../tables/deepFreeze.ts'
import { membersOf } from '../tables/predicates.ts'
import { runQuery } from '../tables/runQuery.ts'
import { buildTable, findItem } from '../tables/table.ts'
import { tableOf } from './schema/tableNames.ts'
import {
  deleteItem,
  type Statement,
  selectAll,
  selectByIds,
  selectCount,
  selectFirst,
  selectIds,
  selectPage
} from './sql/select.ts'

/** Runs a statement on a connection or in a transaction. */
export type RunStatement = (text: string, values: readonly unknown[]) => Promise<readonly ItemRow[]>

/** A row of a result. */
interface ItemRow {
  readonly id?: string
  readonly data?: unknown
  /** The number of items on all pages. */
  readonly count?: number
}

/**
 * The items of one collection in the database. Writes assume that no other transaction writes to the collection
 * meanwhile. Conditions on encrypted members are evaluated in memory; such collections are small.
 */
export class ItemTable<K extends keyof Resources> {
  readonly #name: K
  readonly #codec: ItemCodec
  readonly #run: RunStatement

  constructor(name: K, codec: ItemCodec, run: RunStatement) {
    this.#name = name
    this.#codec = codec
    this.#run = run
  }

  async get(match: ItemMatch<Resources[K]>): Promise<Resources[K] | undefined> {
    if (this.#usesSecrets(Object.keys(match))) return findItem(await this.#decodedTable({ where: match }), match)
    const [row] = await this.#rows(selectFirst(this.#name, match))
    return row && this.#decode(row)
  }

  async list(query: Query<Resources[K]> = {}): Promise<Page<Resources[K]>> {
    if (this.#usesSecrets(membersOf(query))) return runQuery(await this.#decodedTable(query), query)
    const { page = 1, perPage } = query
    const rows = await this.#rows(
      perPage === undefined ? selectAll(this.#name, query) : selectPage(this.#name, { ...query, perPage })
    )
    // Without `perPage`, every item is on the first page.
    const items = perPage === undefined && page > 1 ? [] : rows.map((row) => this.#decode(row))
    if (perPage === undefined) return { items, count: rows.length }
    // A page after the last one has no row with the count.
    const [first] = rows.length === 0 && page > 1 ? await this.#rows(selectCount(this.#name, query)) : rows
    return { items, count: first?.count ?? 0 }
  }

  /** Reads the items in batches: a long audit log would not fit into memory. Skips items that are removed meanwhile. */
  async *scan({ hint, ...query }: Scan<Resources[K]> = {}): AsyncGenerator<Resources[K], void> {
    if (this.#usesSecrets(membersOf(query))) {
      yield* (await this.list(query)).items
      return
    }
    const ids = (await this.#rows(selectIds(this.#name, query))).map(({ id = '' }) => id)
    const hasSecrets = encryptedMembers[this.#name].length > 0
    for (let first = 0; first < ids.length; first += BATCH) {
      const batch = selectByIds(this.#name, ids.slice(first, first + BATCH), hasSecrets ? undefined : hint)
      for (const row of await this.#rows(batch)) yield this.#decode(row)
    }
  }

  /** @throws {DuplicateError} */
  async insert(item: Resources[K]): Promise<void> {
    await this.#assertSecretKeysFree(item)
    const text = `insert into ${tableOf(this.#name)} (id, data) values ($1, $2) on conflict do nothing returning 1 as count`
    const inserted = await this.#run(text, [item._id, this.#encode(item)])
    if (inserted.length > 0) return
    if (await this.get(idOf<Resources[K]>(item._id))) throw new DuplicateError(this.#name, { _id: item._id })
    for (const key of uniqueKeys[this.#name]) await this.#assertFree(item, key)
    throw new Error(`${this.#name} ${item._id} was not inserted, and no item has the same keys`)
  }

  /** @throws {DuplicateError} */
  async replace(before: Resources[K], after: Resources[K]): Promise<void> {
    await this.#assertSecretKeysFree(after)
    for (const key of uniqueKeys[this.#name]) {
      if (key.some((member) => before[member] !== after[member])) await this.#assertFree(after, key)
    }
    const text = `update ${tableOf(this.#name)} set data = $2 where id = $1`
    await this.#run(text, [after._id, this.#encode(after)])
  }

  /** Returns the removed item. */
  async remove(id: string): Promise<Resources[K] | undefined> {
    const [row] = await this.#rows(deleteItem(this.#name, id))
    return row && this.#decode(row)
  }

  /** The database cannot compare encrypted members. */
  async #assertSecretKeysFree(item: Resources[K]): Promise<void> {
    for (const key of uniqueKeys[this.#name]) if (this.#usesSecrets(key)) await this.#assertFree(item, key)
  }

  async #assertFree(item: Resources[K], key: readonly (keyof Resources[K] & string)[]): Promise<void> {
    const match = Object.fromEntries(key.map((member) => [member, item[member]])) as ItemMatch<Resources[K]>
    const holder = await this.get(match)
    if (holder && holder._id !== item._id) throw new DuplicateError(this.#name, match)
  }

  #usesSecrets(members: readonly string[]): boolean {
    const secrets: readonly string[] = encryptedMembers[this.#name]
    return members.some((member) => secrets.includes(member))
  }

  /** Returns a table in memory of the items that meet the equalities of a query without secrets. */
  async #decodedTable({ where = {} }: Query<Resources[K]>) {
    const plain = Object.entries(where).filter(([member]) => !this.#usesSecrets([member]))
    const rows = await this.#rows(
      selectAll(this.#name, { where: Object.fromEntries(plain) as ItemMatch<Resources[K]> })
    )
    return buildTable(
      this.#name,
      rows.map((row) => this.#decode(row))
    )
  }

  #rows({ text, values }: Statement): Promise<readonly ItemRow[]> {
    return this.#run(text, values)
  }

  #encode(item: Resources[K]): string {
    return JSON.stringify(this.#codec.encode(this.#name, item))
  }

  #decode({ data }: ItemRow): Resources[K] {
    // `insert` and `replace` are the only writers of the column.
    return this.#codec.decode(this.#name, deepFreeze(data as Resources[K]))
  }
}

/** The number of items that a scan holds at once. */
const BATCH = 500

function idOf<T extends { readonly _id: string }>(_id: string): ItemMatch<T> {
  return { _id } as ItemMatch<T>
}
