import { serialize } from '@burgee/kit'
import { digestUser, formatUserTable, parseUserTable, replaceInUserTable, type UserTable } from './userTable.ts'

/** A user of some environments, and the id that takes its place. */
interface UserReplacement {
  readonly environments: readonly string[]
  readonly user_id: string
  readonly replacement: string
}

/** Stores tables of users by name, each with its metadata. Names consist of letters, digits, `_` and `-`. */
export interface UserTableStore {
  /** The names of everything that has a table or metadata. */
  list(): Promise<readonly string[]>
  /** Returns `undefined` if there is none, or if it is damaged: tables can be computed again. */
  read(name: string): Promise<UserTable | undefined>
  /**
   * A number that changes when a user is erased. A table that was computed from events with another number contains
   * the user, and is not stored.
   */
  readonly erasures: () => number
  /**
   * Returns whether the table was stored. If a user was erased meanwhile, the previous table stays.
   * @throws {RangeError} if the table is too large.
   */
  write(name: string, table: UserTable, erasures: number): Promise<boolean>
  readMetadata(name: string): Promise<unknown>
  /** Replaces the metadata of a table by the result of `change`; undefined keeps it. Changes are serialized. */
  updateMetadata(name: string, change: (metadata: unknown) => unknown): Promise<void>
  /** Removes a table and its metadata. */
  remove(name: string): Promise<void>
  /** Replaces the digests of a user in all tables. */
  replaceUser(replacement: UserReplacement): Promise<void>
}

/** Stores files by name: in a folder, or in memory. */
export interface FileMap {
  names(): Promise<readonly string[]>
  read(name: string): Promise<Buffer | undefined>
  write(name: string, content: Buffer): Promise<void>
  remove(name: string): Promise<void>
}

/** Creates a store of tables. Writes and erasures are serialized. */
export function createUserTableStore(files: FileMap): UserTableStore {
  const inTurn = serialize()
  let erasures = 0
  const readMetadata = async (name: string): Promise<unknown> => {
    const file = await files.read(`${name}.json`)
    return file && parseMetadata(file)
  }
  return {
    list: async () => [
      ...new Set((await files.names()).flatMap((name) => /^([\w-]+)\.(?:json|table)$/.exec(name)?.[1] ?? []))
    ],
    read: async (name) => {
      const file = await files.read(`${name}.table`)
      return file && parseUserTable(file)
    },
    erasures: () => erasures,
    write: (name, table, since) =>
      inTurn(async () => {
        if (erasures !== since) return false
        await files.write(`${name}.table`, await formatUserTable(table))
        return true
      }),
    readMetadata,
    updateMetadata: (name, change) =>
      inTurn(async () => {
        const metadata = change(await readMetadata(name))
        if (metadata !== undefined) await files.write(`${name}.json`, Buffer.from(JSON.stringify(metadata)))
      }),
    remove: (name) =>
      inTurn(async () => {
        await files.remove(`${name}.table`)
        await files.remove(`${name}.json`)
      }),
    replaceUser: ({ environments, user_id, replacement }) => {
      // At once: a computation that began before read the events with the user.
      erasures++
      const digests = environments.map((one) => [digestUser(one, user_id), digestUser(one, replacement)] as const)
      return inTurn(async () => {
        for (const name of await files.names()) {
          const file = name.endsWith('.table') ? await files.read(name) : undefined
          const replaced = file && replaceInUserTable(file, new Map(digests))
          if (replaced) await files.write(name, replaced)
        }
        // A computation that began meanwhile may have read a table with the user.
        erasures++
      })
    }
  }
}

function parseMetadata(file: Buffer): unknown {
  try {
    return JSON.parse(file.toString())
  } catch {
    return undefined
  }
}

/** Creates an empty map of files in memory. */
export function createMemoryFileMap(): FileMap {
  const files = new Map<string, Buffer>()
  return {
    names: async () => [...files.keys()],
    read: async (name) => files.get(name),
    write: async (name, content) => void files.set(name, content),
    remove: async (name) => void files.delete(name)
  }
}
