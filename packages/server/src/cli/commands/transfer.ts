import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseText, pickSettings, UsageError } from '@burgee/kit/settings'
import { reasonOf } from '../../lib/reasonOf.ts'
import type { EncryptionKey } from '../../storage/encryption/encryptionKey.ts'
import { hasStore } from '../../storage/lowdb/storeDirectory.ts'
import { StoreLockedError } from '../../storage/store.ts'
import { isDatabaseUrl, maskStoreUrl, parseStoreDirectory } from '../../storage/storeUrl.ts'
import { fromExport, toExport } from '../../storage/transfer/exportLines.ts'
import { openRecordSink, openRecordSource, type RecordSource } from '../../storage/transfer/openTransfer.ts'
import { type ParsedRecord, parseRecord } from '../../storage/transfer/transferRecord.ts'
import { readExport, writeExport } from '../exportFile.ts'
import { formatProgress } from '../formatProgress.ts'
import { declareCommand } from '../kinds/declareCommand.ts'
import { encryptionKeys } from '../settingParsers.ts'
import { settings } from '../settings.ts'
import { type Terminal, writeTarget } from '../terminal.ts'

const keySettings = pickSettings(settings, 'store', 'encryptionKey')

type Keys = readonly EncryptionKey[]

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
        const { records, count } = countRecords(source.records, notice)
        const target = resolve(to)
        await writeTarget(target, () => writeExport(target, toExport(records)))
        print(`exported ${count()} records of ${maskStoreUrl(store)} to ${to}; the file contains secrets in plain text`)
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
        parse: encryptionKeys
      }
    },
    shared: pickSettings(settings, 'encryptionKey'),
    run: async ({ arguments: [from = '', to = ''], settings: given }, { encryptionKey: keys }, terminal) => {
      if (from === to) throw new UsageError('migrate needs two different stores')
      const source = await openSource('migrate', from, keys, terminal.notice)
      try {
        const newKeys = given.toEncryptionKey.length > 0 ? given.toEncryptionKey : keys
        const count = await importRecords('migrate', parseRecords(source.records), to, newKeys, terminal)
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
  records: AsyncIterable<ParsedRecord>,
  url: string,
  keys: Keys,
  { notice }: Pick<Terminal, 'notice'>
): Promise<number> {
  assertPersistent(name, url)
  const write = async () => {
    const sink = await openRecordSink(url, { encryption: { keys }, onNotice: notice })
    try {
      const counted = countRecords(records, notice)
      for await (const record of counted.records) await sink.write(record)
      await sink.finish()
      return counted.count()
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

async function* parseRecords(lines: AsyncIterable<string>): AsyncGenerator<ParsedRecord, void> {
  for await (const line of lines) yield parseRecord(line)
}

/** Counts records as they are read, and prints the count at intervals. */
function countRecords<Kind>(records: AsyncIterable<Kind>, notice: Terminal['notice']) {
  const progress = formatProgress(notice, 'records')
  let count = 0
  const read = async function* () {
    for await (const record of records) {
      progress(++count)
      yield record
    }
  }
  return { records: read(), count: () => count }
}
