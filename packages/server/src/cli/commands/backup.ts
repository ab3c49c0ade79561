import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseBoolean, parseText, pickSettings, UsageError } from '@burgee/kit/settings'
import { verifyAuditLog } from '../../access/audit/verifyChain.ts'
import { DAY } from '../../lib/time.ts'
import { writeBackup } from '../../storage/backup/writeBackup.ts'
import { checkDatabase } from '../../storage/check/checkDatabase.ts'
import { checkDirectory } from '../../storage/check/checkDirectory.ts'
import type { Finding } from '../../storage/check/finding.ts'
import { toUtcDay } from '../../storage/events/utcDay.ts'
import { hasStore } from '../../storage/lowdb/storeDirectory.ts'
import { openAuditLog } from '../../storage/open/openAuditLog.ts'
import { restoreBackup } from '../../storage/restore/restoreBackup.ts'
import { StoreLockedError } from '../../storage/store.ts'
import { isDatabaseUrl, parseStoreDirectory } from '../../storage/storeUrl.ts'
import { formatProgress } from '../formatProgress.ts'
import { declareCommand } from '../kinds/declareCommand.ts'
import { settings } from '../settings.ts'
import { writeTarget } from '../terminal.ts'

/** `burgee-server backup`, `restore` and `check` */
export const backupCommands = [
  declareCommand({
    name: 'backup',
    summary:
      'Copy a store in a directory, even while its server runs. The copy is consistent, and has events and logs. Use pg_dump for a database.',
    settings: {
      to: {
        variable: false,
        placeholder: 'path',
        help: 'New directory for the copy, or new archive: a name that ends with .tar, .tar.gz or .tgz.',
        parse: parseText
      }
    },
    shared: pickSettings(settings, 'store'),
    run: async ({ settings: { to } }, { store }, { print, notice }) => {
      if (to === '') throw new UsageError('backup needs --to with a new directory or archive')
      const directory = directoryOf(store, 'backup', 'pg_dump')
      if (!hasStore(directory)) throw new UsageError(`${directory} contains no store; set --store or BURGEE_STORE`)
      const onProgress = formatProgress(notice)
      const target = resolve(to)
      const { files, revision } = await writeTarget(target, () =>
        writeBackup(resolve(directory), target, { now: Date.now, onProgress })
      )
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
      print(`backed up commit ${revision} of ${directory} to ${to}: ${files.length} files, ${bytes} bytes`)
      return 0
    }
  }),
  declareCommand({
    name: 'restore',
    summary:
      'Restore a backup into the directory of the store. The server must be stopped. Use pg_restore or psql for a database.',
    settings: {
      from: {
        variable: false,
        placeholder: 'path',
        help: 'Directory or archive that backup wrote, or a copy of the directory of a stopped server.',
        parse: parseText
      },
      force: {
        kind: 'switch',
        variable: false,
        help: 'Replace an existing store. Its files are kept in a folder of the directory.',
        parse: parseBoolean
      }
    },
    shared: pickSettings(settings, 'store'),
    run: async ({ settings: { from, force } }, { store }, { print, notice }) => {
      if (from === '') throw new UsageError('restore needs --from with the directory or archive of a backup')
      const directory = directoryOf(store, 'restore', 'pg_restore or psql')
      const options = { isForced: force, now: Date.now, onNotice: notice }
      const target = resolve(directory)
      const restoring = writeTarget(target, () => restoreBackup(resolve(from), target, options))
      const { files, bytes, replaced } = await restoring.catch((cause) => {
        if (!(cause instanceof StoreLockedError)) throw cause
        throw new UsageError(`${cause.holder} holds the store in ${directory}; stop it first`, {
          cause
        })
      })
      print(`restored ${from} to ${directory}: ${files} files, ${bytes} bytes`)
      if (replaced !== undefined) print(`the replaced store is in ${replaced}; delete it when you no longer need it`)
      print(`before the start, run: burgee-server configs renew --store ${store}`)
      return 0
    }
  }),
  declareCommand({
    name: 'check',
    summary:
      'Check a store or a backup for damage, and the hash chain of its audit log. Works while the server is running. Exits with 1 if something is damaged or missing.',
    settings: {},
    shared: pickSettings(settings, 'store', 'eventsRetentionDays'),
    run: async (_given, { store, eventsRetentionDays }, { print }) => {
      let problems = 0
      const oldestDay = toUtcDay(Date.now() - eventsRetentionDays * DAY)
      for await (const finding of findings(store, oldestDay)) {
        if (finding.problem !== undefined) problems++
        print(formatFinding(finding))
      }
      print(problems === 0 ? 'the store is sound' : `problems: ${problems}`)
      return problems === 0 ? 0 : 1
    }
  })
]

function formatFinding({ file, content, notice, problem }: Finding): string {
  if (problem !== undefined) return `damaged  ${file}: ${problem}`
  return notice === undefined ? `ok       ${file}: ${content}` : `notice   ${file}: ${notice}`
}

async function* findings(store: string, oldestDay: string): AsyncGenerator<Finding, void> {
  if (isDatabaseUrl(store)) yield* checkDatabase(store)
  else {
    const directory = directoryOf(store, 'check', '')
    if (statSync(directory, { throwIfNoEntry: false })?.isFile()) {
      throw new UsageError(`${directory} is a file, and check reads directories; restore the archive first`)
    }
    if (!hasStore(directory)) throw new UsageError(`${directory} contains no store; set --store or BURGEE_STORE`)
    let isReadable = true
    for await (const finding of checkDirectory(resolve(directory), oldestDay)) {
      if (/^(db|commits-\d+)\.json/.test(finding.file) && finding.problem !== undefined) isReadable = false
      yield finding
    }
    // The document has the end of the chain.
    if (!isReadable) return
  }
  yield* checkChain(store)
}

async function* checkChain(store: string): AsyncGenerator<Finding, void> {
  const log = await openAuditLog(store)
  for (const { key } of log.organizations) {
    const { isIntact, entries, broken } = await verifyAuditLog(log, key)
    const entry = broken?.position === undefined ? '' : ` at entry ${broken.position}`
    yield isIntact
      ? { file: 'hash chain', content: `${entries} entries` }
      : { file: 'hash chain', problem: `is broken${entry}: ${broken?.reason}` }
  }
}

function directoryOf(store: string, name: string, tool: string): string {
  const directory = parseStoreDirectory(store)
  if (directory !== undefined) return directory
  if (isDatabaseUrl(store)) throw new UsageError(`${name} is for a store in a directory; for a database, use ${tool}`)
  throw new UsageError(`${name} needs a store in a directory, such as file:./burgee-data`)
}
