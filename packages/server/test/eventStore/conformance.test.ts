import { addCleanup } from '@burgee/testing/cleanup'
import { emptyDatabase, temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { openEventStore } from '../../src/storage/open/openEventStore.ts'
import { Database } from '../../src/storage/postgres/connection/database.ts'
import { describeEventStore } from './describeEventStore.ts'

describeEventStore('in memory', async () => ({
  open: (options) => openEventStore(undefined, options),
  isDurable: false
}))

describeEventStore('in files', async () => {
  const directory = await temporaryDirectory()
  return { open: (options) => openEventStore(directory, options), isDurable: true }
})

let url: Promise<string> | undefined
let database: Database | undefined
describeEventStore('in a database', async () => {
  url ??= temporaryDatabase()
  const shared = database ?? (await Database.create(await url, { maxConnections: 5, onNotice: () => {} }))
  if (!database) addCleanup(() => shared.close())
  database = shared
  await emptyDatabase(await url)
  return { open: (options) => openEventStore(shared, options), isDurable: true }
})
