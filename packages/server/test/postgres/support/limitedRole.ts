import { randomBytes } from 'node:crypto'
import { addCleanup } from '@burgee/testing/cleanup'
import { runOnServer, temporaryDatabase, withName } from '@burgee/testing/postgres/testDatabase'
import { inject } from 'vitest'

/** A database whose owner has a limited number of connections. */
export interface LimitedDatabase {
  readonly url: string
  /** Changes the limit, and ends connections beyond it, or all of them. */
  readonly limit: (connections: number, options?: { readonly endsAll?: boolean }) => Promise<void>
  /** The connections of the owner. */
  readonly connections: () => Promise<readonly { readonly query: string }[]>
}

/** Creates an empty database with an owner of its own. */
export async function limitedDatabase(limit: number): Promise<LimitedDatabase> {
  const role = `burgee_role_${randomBytes(4).toString('hex')}`
  await runOnServer(`create role ${role} login password 'limited' connection limit ${limit}`)
  // Cleanups run in reverse order: this one after the database is deleted.
  addCleanup(() => runOnServer(`drop role ${role}`))
  const url = new URL(await temporaryDatabase(withName(inject('databaseUrl'), 'template1')))
  await runOnServer(`alter database ${url.pathname.slice(1)} owner to ${role}`)
  url.username = role
  url.password = 'limited'
  const ofRole = `from pg_stat_activity where usename = '${role}'`
  return {
    url: url.href,
    limit: async (connections, { endsAll = false } = {}) => {
      await runOnServer(`alter role ${role} connection limit ${connections}`)
      const beyond = endsAll ? '' : `offset ${Math.max(0, connections)}`
      if (connections >= 0)
        await runOnServer(`select pg_terminate_backend(pid) ${ofRole} order by backend_start ${beyond}`)
    },
    connections: async () => (await runOnServer(`select query ${ofRole}`)) as readonly { readonly query: string }[]
  }
}
