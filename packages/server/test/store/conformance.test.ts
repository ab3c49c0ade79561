import { emptyDatabase, temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { sample } from '@burgee/testing/scale'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { parseEncryptionKeys } from '../../src/storage/encryption/encryptionKey.ts'
import { openStore } from '../../src/storage/open/openStore.ts'
import { describeStore } from './conformance/describeStore.ts'

const encryption = { keys: parseEncryptionKeys('0a'.repeat(32)) }

describeStore('memory:', () => openStore('memory:'))
describeStore('file:', async () => openStore(`file:${await temporaryDirectory()}`))

let database: Promise<string> | undefined
async function emptyDatabaseUrl(): Promise<string> {
  database ??= temporaryDatabase()
  return emptyDatabase(await database)
}

describeStore('postgres:', async () => openStore(await emptyDatabaseUrl()))

const encrypted = [
  ['file: with encryption', async () => `file:${await temporaryDirectory()}`],
  ['postgres: with encryption', emptyDatabaseUrl]
] as const

for (const [name, open] of sample(encrypted, 1, 'encrypted stores')) {
  describeStore(name, async () => openStore(await open(), { encryption }))
}
