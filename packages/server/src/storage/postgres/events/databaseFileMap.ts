import type { FileMap } from '../../events/tables/userTableStore.ts'
import type { Database } from '../connection/database.ts'

/** Creates a map of files in a table of a database. */
export function createDatabaseFileMap(database: Database): FileMap {
  return {
    names: async () =>
      (await database.read<{ name: string }>('select name from burgee_event_files')).map(({ name }) => name),
    read: async (name) => {
      const rows = await database.read<{ content: Buffer }>('select content from burgee_event_files where name = $1', [
        name
      ])
      return rows[0]?.content
    },
    write: async (name, content) => {
      await database.write(
        'insert into burgee_event_files (name, content) values ($1, $2) on conflict (name) do update set content = excluded.content',
        [name, content]
      )
    },
    remove: async (name) => {
      await database.write('delete from burgee_event_files where name = $1', [name])
    }
  }
}
