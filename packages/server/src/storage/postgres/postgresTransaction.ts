import type { ItemCodec } from '../encryption/itemCodec.ts'
import type { Resources } from '../resources/collections.ts'
import type { Collection, ItemPatch, Store } from '../store.ts'
import { frozenJsonCopy } from '../tables/deepFreeze.ts'
import { isUserData } from '../tables/storeState.ts'
import { DraftStore } from '../transactions/draftStore.ts'
import { replaceMembers } from '../transactions/replaceMembers.ts'
import type { TransactionSession } from './connection/transactionSession.ts'
import { ItemTable } from './itemTable.ts'

/** The store of a transaction in the database. */
export class PostgresTransaction extends DraftStore {
  readonly #session: TransactionSession
  readonly #codec: ItemCodec

  constructor(store: Store, session: TransactionSession, codec: ItemCodec) {
    super(store)
    this.#session = session
    this.#codec = codec
  }

  collection<K extends keyof Resources>(name: K): Collection<Resources[K]> {
    const use = async <T>(work: (table: ItemTable<K>) => Promise<T>): Promise<T> => {
      this.assertActive(name)
      await this.#session.use(isUserData(name) ? 'users' : 'flags')
      return work(this.#table(name))
    }
    const write = <T>(work: (table: ItemTable<K>) => Promise<T>): Promise<T> =>
      use(async (table) => {
        this.assertMayWrite(name)
        await this.#session.lock(isUserData(name) ? 'users' : 'flags')
        return work(table)
      })
    return {
      get: (match) => use((table) => table.get(match)),
      list: (query) => use((table) => table.list(query)),
      scan: async function* (query) {
        yield* await use(async (table) => table.scan(query))
      },
      insert: (item) =>
        write(async (table) => {
          const after = frozenJsonCopy(item)
          await table.insert(after)
          this.record(name, { after })
          return after
        }),
      update: (id, members: ItemPatch<Resources[K]>) =>
        write(async (table) => {
          const before = await table.get({ _id: id } as Partial<Resources[K]>)
          if (!before) return undefined
          const after = replaceMembers(name, before, members)
          await table.replace(before, after)
          this.record(name, { before, after })
          return after
        }),
      remove: (id) =>
        write(async (table) => {
          const before = await table.remove(id)
          if (before) this.record(name, { before })
          return before
        })
    }
  }

  async transaction<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const count = this.writes.length
    const rollBack = await this.#session.savepoint()
    try {
      return await work(this)
    } catch (error) {
      this.dropWrites(count)
      await rollBack()
      throw error
    }
  }

  #table<K extends keyof Resources>(name: K): ItemTable<K> {
    return new ItemTable(name, this.#codec, async (text, values) => (await this.#session.query(text, values)).rows)
  }
}
