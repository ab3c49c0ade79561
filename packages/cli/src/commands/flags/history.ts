import { paginate, revisionOf } from '@burgee/contract/client'
import type { AuditLogEntry, Environment } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { parseText } from '@burgee/kit/settings'
import { changesWords, formatMinute } from '../../output/formatChange.ts'
import { formatColumns } from '../../output/formatColumns.ts'
import { formatCount } from '../../output/formatCount.ts'
import { formatRecord } from '../../output/formatValue.ts'
import type { Names } from '../../output/peopleNames.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import { ConflictError, NotFoundError } from '../../run/failures/errors.ts'
import { ifRevision } from '../../run/ifRevision.ts'
import { parseTime } from '../../run/parseTime.ts'
import { readEnvironments } from '../../run/server/readEnvironments.ts'
import { readNames } from '../../run/server/readNames.ts'
import type { Session } from '../../run/session.ts'
import { confirmationSettings, environmentFilter, numberSetting, projectSettings } from '../../run/settings.ts'

/** `burgee history` and `burgee undo` */
export const historyCommands = [
  apiCommand({
    name: 'history',
    summary: 'List the changes of a flag, newest first, or show one of them.',
    arguments: ['<flag>', '[entry]'],
    settings: {
      ...numberSetting,
      ...environmentFilter,
      by: { variable: false, placeholder: 'id', help: 'Only changes by this person or API client.', parse: parseText },
      since: {
        variable: false,
        placeholder: 'date',
        help: 'Only changes from this time on, such as 2026-03-01 or 2026-03-01T12:00Z.',
        parse: parseTime
      },
      ...projectSettings
    },
    details: 'Example:\n  burgee history new-checkout -n 5\n\nTo undo changes: burgee undo --help',
    run: async ({ arguments: [key = '', id], settings: { number, environment, by, since } }, session) => {
      const query = {
        ...(environment && { environment }),
        ...(by && { idp_user: by }),
        ...(since && { startDate: since })
      }
      if (id === undefined) {
        const [data, environments] = await Promise.all([
          readHistory(session, key, query, (entries) => entries.length === number),
          environmentsById(session)
        ])
        const names = await readNames(session)
        return { data, text: (width) => formatHistory(data, { environments, names }, width) }
      }
      const isFound = ({ _id }: AuditLogEntry) => _id === id
      const entry = (await readHistory(session, key, query, (entries) => entries.some(isFound))).find(isFound)
      if (!entry) throw noEntry(session, key, id)
      const [lines, names] = await Promise.all([describeEntry(session, key, entry), readNames(session)])
      return { data: entry, text: () => formatEntry(entry, lines, names) }
    }
  }),
  apiCommand({
    name: 'undo',
    summary: 'Undo the newest change of a flag, or all changes since an entry of its history.',
    arguments: ['<flag>'],
    settings: {
      to: {
        variable: false,
        placeholder: 'entry',
        help: 'Id of the oldest entry to undo, together with all later ones. If empty, the newest entry.',
        parse: parseText
      },
      ...projectSettings,
      ...confirmationSettings
    },
    details: [
      'Restores the flag as it was before that entry. The restored state is a new entry,',
      'so it can be undone, too.',
      '',
      'Example:',
      '  burgee undo new-checkout'
    ].join('\n'),
    run: async ({ arguments: [key = ''], settings: { to } }, session) => {
      const { client, terminal } = session
      const params = { project: session.project(), feature: key }
      const [{ describeUndo }, { assertDryRun }, { isOfFeature }] = await Promise.all([
        import('../../operations/protected/describeProtected.ts'),
        import('../../operations/protected/assertAccepted.ts'),
        import('../../operations/protected/revertUpdate.ts')
      ])
      const isOwn = ({ changes }: AuditLogEntry) => changes.some(isOfFeature)
      const [before, all, environments] = await Promise.all([
        client.getFeature({ params }),
        readHistory(session, key, {}, (read) => (to === '' ? read.some(isOwn) : read.some(({ _id }) => _id === to))),
        environmentsById(session)
      ])
      const entries = all.filter(isOwn)
      const oldest = entries.at(-1)
      if (to !== '' && all.at(-1)?._id !== to) throw noEntry(session, key, to)
      if (!oldest || (to !== '' && oldest._id !== to)) throw otherEntry(session, key, to)
      assertNotCreation(key, oldest, session)
      const isAsked = entries.some((entry) => reachesProtected(entry, environments))
      const table = formatHistory(entries, { environments, names: await readNames(session) }, terminal.width)
      const request = { params: { ...params, entry: oldest._id }, ...ifRevision(revisionOf(before)) }
      if (isAsked) {
        await assertDryRun(session, 'revertFeature', { query: {}, headers: {}, ...request })
        const served = await describeUndo(before, entries, session)
        terminal.show([table, ...(served?.lines ?? [])].join('\n'))
        await session.confirm(`Undo ${formatCount(entries.length, 'change')} of ${key}?`)
      }
      const data = await client.revertFeature(request)
      return {
        data,
        text: () =>
          [
            ...(isAsked ? [] : [table]),
            `Undid ${formatCount(entries.length, 'change')} of ${key}. To redo: ${session.suggest(`undo ${key}`)}`
          ].join('\n')
      }
    }
  })
]

type HistoryQuery = Parameters<Session['client']['getFeatureAudit']>[0]['query']

/** Reads entries, newest first, until there are enough. */
async function readHistory(
  { client, project }: Session,
  feature: string,
  query: HistoryQuery,
  isEnough: (entries: readonly AuditLogEntry[]) => boolean
): Promise<readonly AuditLogEntry[]> {
  const entries: AuditLogEntry[] = []
  const request = { params: { project: project(), feature }, query: { ...query } }
  for await (const entry of paginate(client.getFeatureAudit, request)) {
    entries.push(entry)
    if (isEnough(entries)) break
  }
  return entries
}

async function environmentsById(session: Session): Promise<ReadonlyMap<string, Environment>> {
  const environments = await readEnvironments(session, session.project())
  return new Map(environments.map((environment) => [environment._id, environment]))
}

/** Whether an entry changed what users of a protected environment get, or may have. */
function reachesProtected({ changes }: AuditLogEntry, environments: ReadonlyMap<string, Environment>): boolean {
  const isOfProtected = (id: string) => {
    const environment = environments.get(id)
    return environment !== undefined && isProtected(environment)
  }
  return changes.some(({ _environments }) => _environments === undefined || _environments.some(isOfProtected))
}

function noEntry({ suggest }: Session, key: string, id: string): NotFoundError {
  return new NotFoundError(
    `flag ${key} has no entry "${id}" in its history: ${suggest(`history ${key}`)} shows their ids`
  )
}

/** An entry that did not change the feature itself, such as one about an override. */
function otherEntry({ suggest }: Session, key: string, id: string): ConflictError {
  const message =
    id === ''
      ? `flag ${key} has no change to undo`
      : `entry ${id} did not change flag ${key} itself but, for example, an override`
  return new ConflictError(message, { hint: `${suggest(`history ${key}`)} lists the changes.` })
}

/** @throws {ConflictError} */
function assertNotCreation(key: string, { _id, changes }: AuditLogEntry, { suggest }: Session): void {
  if (changes.every(({ type }) => type !== 'createdFeature')) return
  const message = `entry ${_id} is the creation of flag ${key}, which cannot be undone`
  throw new ConflictError(message, { hint: `To delete the flag: ${suggest(`features delete ${key}`)}` })
}

function formatHistory(
  entries: readonly AuditLogEntry[],
  { environments, names }: { readonly environments: ReadonlyMap<string, Environment>; readonly names: Names },
  width: number
): string {
  if (entries.length === 0) return 'There are no entries.'
  const rows = entries.map(({ _id, date, idp_user: who, changes }) => {
    const where = new Set(changes.flatMap(({ _environments = [] }) => _environments))
    const keys = [...where].map((id) => environments.get(id)?.key ?? id)
    return [_id, formatMinute(date), changesWords(changes), keys.join(', '), names.get(who) ?? who]
  })
  return formatColumns([['ENTRY', 'DATE', 'CHANGES', 'ENVIRONMENTS', 'BY'], ...rows], width, {
    optional: [4, 3],
    wrapped: [2, 3]
  }).join('\n')
}

/** Formats an entry with its changes. Nothing is cut. */
function formatEntry(
  { _id, date, idp_user: who, source }: AuditLogEntry,
  lines: readonly string[],
  names: Names
): string {
  const head = formatRecord({ entry: _id, date: formatMinute(date), by: names.get(who) ?? who, with: source })
  return [head, ...lines.map((line) => `  ${line}`)].join('\n')
}

/** Describes the changes of an entry: targets with sentences, other members by name. */
async function describeEntry(session: Session, key: string, { changes }: AuditLogEntry): Promise<readonly string[]> {
  const { describeChanges, readChangeContext } = await import('../../operations/protected/describeChanges.ts')
  const [feature, context] = await Promise.all([
    session.client.getFeature({ params: { project: session.project(), feature: key } }),
    readChangeContext(session)
  ])
  return describeChanges(changes, feature, { ...context, areApplied: true })
}
