import { emptyDatabase, temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { describeStore } from '../../src/storage/conformance.ts'
import { parseEncryptionKeys } from '../../src/storage/encryption/encryptionKey.ts'
import { openStore } from '../../src/storage/open/openStore.ts'

describeStore('memory:', () => openStore('memory:'))
describeStore('file:', async () => openStore(`file:${await temporaryDirectory()}`))
describeStore('file: with encryption', async () => {
  return openStore(`file:${await temporaryDirectory()}`, { encryption: { keys: parseEncryptionKeys('0a'.repeat(32)) } })
})

let database: Promise<string> | undefined
describeStore('postgres:', async () => {
  database ??= temporaryDatabase()
  return openStore(await emptyDatabase(await database))
})
describeStore('postgres: with encryption', async () => {
  database ??= temporaryDatabase()
  return openStore(await emptyDatabase(await database), { encryption: { keys: parseEncryptionKeys('0a'.repeat(32)) } })
})
