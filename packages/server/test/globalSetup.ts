import { randomBytes } from 'node:crypto'
import { startCluster } from '@burgee/testing/postgres/startCluster'
import { withName } from '@burgee/testing/postgres/testDatabase'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { openStore } from '../src/storage/open/openStore.ts'

/**
 * Starts the PostgreSQL server of a run with an empty store, which tests copy, and stops it afterwards. Vitest calls it
 * before the tests of a package.
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startCluster()
  const name = `burgee_template_${randomBytes(6).toString('hex')}`
  const template = withName(url, name)
  await run(url, `create database ${name} encoding 'UTF8' template template0`)
  await (await openStore(template)).close()
  provide('databaseUrl', url)
  provide('databaseTemplate', template)
  return async () => {
    await run(url, `drop database ${name}`)
    await stop()
  }
}

async function run(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}
