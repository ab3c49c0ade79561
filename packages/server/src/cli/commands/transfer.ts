import { createReadStream, createWriteStream } from 'node:fs'
import { access, open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { hasCode, syncDirectory } from '@burgee/kit/files'
import { parseText, pickSettings, UsageError } from '@burgee/kit/settings'
import { reasonOf } from '../../lib/reasonOf.ts'
import { splitLines } from '../../storage/disk/readLines.ts'
import { parseEncryptionKeys } from '../../storage/encryption/encryptionKey.ts'
import { hasStore } from '../../storage/lowdb/storeDirectory.ts'
import { isDatabaseUrl, maskStoreUrl, parseStoreDirectory } from '../../storage/open/storeUrl.ts'
import { StoreLockedError } from '../../storage/store.ts'
import { damagedExport, fromExport, toExport } from '../../storage/transfer/exportLines.ts'
import { openRecordSink, openRecordSource, type RecordSource } from '../../storage/transfer/openTransfer.ts'
import { formatProgress } from '../formatProgress.ts'
import { declareCommand } from '../kinds/declareCommand.ts'
import { settings } from '../settings.ts'
import { type Terminal, writeTarget } from '../terminal.ts'

const keySettings = pickSettings(settings, 'store', 'encryptionKey')

type Keys = ReturnType<typeof parseEncryptionKeys>

/** `burgee-server export`, `import` and `migrate` */
export const transferCommands = [
  declareCommand({
    name: 'export',
    summary:
      'Write the whole store to a file, independent of where it is stored, with secrets in plain text. The server of a directory must be stopped.',
    settings: {
      to: {
        variable: false,
        placeholder: 'file',
        help: 'New file: one JSON object per line, compressed if the name ends with .gz.',
        parse: parseText
      }
    },
    shared: keySettings,
    run: async ({ settings: { to } }, { store, encryptionKey: keys }, { print, notice }) => {
      if (to === '') throw new UsageError('export needs --to with a new file')
      const source = await openSource('export', store, keys, notice)
      try {
        let count = 0
        const progress = formatProgress(notice, 'records')
        const counted = mapRecords(source.records, () => progress(++count))
        const target = resolve(to)
        await writeTarget(target, () => writeLines(target, toExport(counted)))
        print(`exported ${count} records of ${maskStoreUrl(store)} to ${to}; the file contains secrets in plain text`)
        return 0
      } finally {
        await source.close()
      }
    }
  }),
  declareCommand({
    name: 'import',
    summary:
      'Read an export into an empty database or a new directory. After an interruption, run it again: a database continues where it was.',
    settings: {
      from: {
        variable: false,
        placeholder: 'file',
        help: 'File that export wrote.',
        parse: parseText
      }
    },
    shared: keySettings,
    run: async ({ settings: { from } }, { store, encryptionKey: keys }, terminal) => {
      if (from === '') throw new UsageError('import needs --from with a file that export wrote')
      const path = resolve(from)
      await access(path).catch((cause) => {
        throw new UsageError(`${path} cannot be read: ${reasonOf(cause)}`, { cause })
      })
      const count = await importRecords('import', fromExport(path, readExport(path)), store, keys, terminal)
      terminal.print(`imported ${count} records to ${maskStoreUrl(store)}`)
      return 0
    }
  }),
  declareCommand({
    name: 'migrate',
    summary:
      'Copy a store to an empty database or a new directory: flags, people, users, audit log, events and access log. Stop all servers first. After an interruption, run it again: a database continues where it was.',
    arguments: ['<from>', '<to>'],
    settings: {
      toEncryptionKey: {
        isSecret: true,
        help: 'Key that encrypts the secrets in the new store. The one of --encryption-key if empty.',
        parse: (text: string) => {
          try {
            return parseEncryptionKeys(text)
          } catch (cause) {
            throw new UsageError(reasonOf(cause), { cause })
          }
        }
      }
    },
    shared: pickSettings(settings, 'encryptionKey'),
    run: async ({ arguments: [from = '', to = ''], settings: given }, { encryptionKey: keys }, terminal) => {
      if (from === to) throw new UsageError('migrate needs two different stores')
      const source = await openSource('migrate', from, keys, terminal.notice)
      try {
        const newKeys = given.toEncryptionKey.length > 0 ? given.toEncryptionKey : keys
        const count = await importRecords('migrate', source.records, to, newKeys, terminal)
        terminal.print(`migrated ${count} records from ${maskStoreUrl(from)} to ${maskStoreUrl(to)}`)
        return 0
      } finally {
        await source.close()
      }
    }
  })
]

async function openSource(
  name: 'export' | 'migrate',
  url: string,
  keys: Keys,
  onNotice: Terminal['notice']
): Promise<RecordSource> {
  assertPersistent(name, url)
  const directory = parseStoreDirectory(url)
  if (directory !== undefined && !hasStore(directory)) throw new UsageError(`${directory} contains no store`)
  const options = { encryption: { keys }, onNotice, requiresStopped: name === 'migrate' }
  return openRecordSource(url, options).catch((cause) => {
    if (!(cause instanceof StoreLockedError)) throw cause
    const alternative = name === 'export' ? ', or export a backup of it' : ''
    throw new UsageError(`${cause.holder} holds the store in ${directory}; stop it first${alternative}`, { cause })
  })
}

async function importRecords(
  name: string,
  records: AsyncIterable<string>,
  url: string,
  keys: Keys,
  { notice }: Pick<Terminal, 'notice'>
): Promise<number> {
  assertPersistent(name, url)
  const write = async () => {
    const sink = await openRecordSink(url, { encryption: { keys }, onNotice: notice })
    try {
      const progress = formatProgress(notice, 'records')
      let count = 0
      for await (const record of records) {
        await sink.write(record)
        progress(++count)
      }
      await sink.finish()
      return count
    } finally {
      await sink.close()
    }
  }
  const directory = parseStoreDirectory(url)
  return directory === undefined ? write() : writeTarget(resolve(directory), write)
}

function assertPersistent(name: string, url: string): void {
  if (isDatabaseUrl(url) || parseStoreDirectory(url) !== undefined) return
  throw new UsageError(`${name} needs a persistent store, such as file:./burgee-data, not ${maskStoreUrl(url)}`)
}

async function* mapRecords(records: AsyncIterable<string>, onRecord: () => void): AsyncGenerator<string, void> {
  for await (const record of records) {
    onRecord()
    yield record
  }
}

/** Writes a new file durably; a partial one is removed. */
async function writeLines(path: string, lines: AsyncIterable<string>): Promise<void> {
  const isTaken = await access(path).then(
    () => true,
    () => false
  )
  if (isTaken) throw new UsageError(`${path} exists; choose another name, or delete it`)
  const partial = `${path}.part`
  try {
    const output = createWriteStream(partial, { mode: 0o600 })
    const source = Readable.from(joinLines(lines))
    if (path.endsWith('.gz')) await pipeline(source, createGzip(), output)
    else await pipeline(source, output)
    const file = await open(partial, 'r+')
    await file.sync().finally(() => file.close())
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
  await syncDirectory(dirname(path))
}

/** Joins lines to large pieces. */
async function* joinLines(lines: AsyncIterable<string>): AsyncGenerator<string, void> {
  let text = ''
  for await (const line of lines) {
    text += `${line}\n`
    if (text.length < 65_536) continue
    yield text
    text = ''
  }
  yield text
}

/** Reads the lines of an export. @throws {StoreOpenError} when its compression or its text is damaged or incomplete. */
async function* readExport(path: string): AsyncGenerator<string, void> {
  try {
    yield* splitLines(path.endsWith('.gz') ? decompress(path) : createReadStream(path))
  } catch (cause) {
    if (!DAMAGED.some((code) => hasCode(cause, code))) throw cause
    throw damagedExport(path, reasonOf(cause), cause)
  }
}

/** Compressed bytes that end early or are wrong, and text that is not UTF-8. */
const DAMAGED = ['Z_BUF_ERROR', 'Z_DATA_ERROR', 'ERR_ENCODING_INVALID_ENCODED_DATA']

function decompress(path: string): AsyncIterable<Buffer> {
  const stream = createReadStream(path)
  const gunzip = createGunzip()
  stream.on('error', (error) => gunzip.destroy(error))
  return stream.pipe(gunzip)
}
