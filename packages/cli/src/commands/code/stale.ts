import { ApiError, collect } from '@burgee/contract/client'
import type { Feature, StalenessReason } from '@burgee/contract/schemas'
import { choice, parseBoolean, UsageError } from '@burgee/kit/settings'
import { formatColumns } from '../../output/formatColumns.ts'
import { formatCount } from '../../output/formatCount.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import { exitCodes } from '../../run/failures/exitCodes.ts'
import type { Session } from '../../run/session.ts'
import { projectSettings } from '../../run/settings.ts'

const reasons = [
  'released',
  'unused',
  'unmodifiedShort',
  'unmodifiedLong'
] as const satisfies readonly StalenessReason[]

/** `burgee stale` */
export const stale = apiCommand({
  name: 'stale',
  summary: 'List the stale features of a project, with a suggestion for each.',
  settings: {
    reason: {
      kind: 'list',
      placeholder: 'reason',
      help: `Only features that are stale for this reason: ${reasons.join(', ')}. Repeatable.`,
      ...choice(reasons)
    },
    includeSilenced: {
      kind: 'switch',
      variable: false,
      help: 'Include features whose reminders are snoozed or disabled.',
      parse: parseBoolean
    },
    fail: { kind: 'switch', variable: false, help: 'Exit with 1 if there are stale features.', parse: parseBoolean },
    ...projectSettings
  },
  details:
    'Example, in CI:\n  burgee stale --reason released --reason unused --fail\n\nMore: docs/guides/stale-features.md',
  run: async ({ settings: { reason: wanted, includeSilenced, fail } }, session) => {
    await assertStalenessEnabled(session)
    const found = await listStaleFeatures(session, includeSilenced)
    const data = found.filter(({ reason }) => wanted.length === 0 || wanted.includes(reason))
    return {
      data,
      text: (width) =>
        data.length === 0
          ? `project ${session.project()} has no stale features`
          : formatColumns(data.map(toRow), width, { optional: [2], wrapped: [1, 3], isHeadless: true }).join('\n'),
      ...(fail && data.length > 0 && { exitCode: exitCodes.found })
    }
  }
})

/** A stale feature as the command prints it. */
interface StaleFeature {
  readonly key: string
  readonly reason: StalenessReason
  readonly since: string
  readonly disabled: boolean
  readonly snoozedUntil?: string | undefined
  /** The number of places in code that read its variables; absent without scans. */
  readonly reads?: number
  /** The recommended action. */
  readonly action: string
}

/** Asserts that staleness checks are enabled; otherwise the list would always be empty. @throws {UsageError} */
async function assertStalenessEnabled({ client, project, suggest }: Session): Promise<void> {
  const key = project()
  const { settings } = await client.getProject({ params: { key } })
  if (settings.staleness.enabled) return
  const command = suggest(`projects protected-settings update --settings '{"staleness":{"enabled":true}}'`)
  throw new UsageError(`project ${key} does not detect stale features: enable detection with ${command}`)
}

async function listStaleFeatures(session: Session, includeSilenced: boolean): Promise<readonly StaleFeature[]> {
  const { client, project } = session
  const reads = await countReads(session)
  const query = { includeSilenced: String(includeSilenced), sortBy: 'key', sortOrder: 'asc' } as const
  const stale = await collect(client.getStaleFeatures, { params: { key: project() }, query })
  return stale.flatMap((feature) => toStale(feature, reads))
}

/**
 * Counts the places that read each variable, by the last scans of the default branches. Returns `undefined` without
 * scans, and for callers who may not read variables.
 */
async function countReads({ client, project }: Session): Promise<ReadonlyMap<string, number> | undefined> {
  const counts = new Map<string, number>()
  try {
    const { hasReceivedCodeUsages } = await client.getProject({ params: { key: project() } })
    if (!hasReceivedCodeUsages) return undefined
    const request = { params: { project: project() }, query: { current: 'true' } }
    for (const { key, references } of await collect(client.listCodeUsages, request))
      counts.set(key, (counts.get(key) ?? 0) + references.filter(({ isTest }) => isTest !== true).length)
    return counts
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined
    throw error
  }
}

function toStale(
  { key, staleness, variables }: Feature,
  counts: ReadonlyMap<string, number> | undefined
): readonly StaleFeature[] {
  if (!staleness?.reason) return []
  const { reason, since = '', disabled, snoozedUntil, metaData } = staleness
  const reads = counts && variables.reduce((total, variable) => total + (counts.get(variable.key) ?? 0), 0)
  return [
    {
      key,
      reason,
      since,
      disabled,
      snoozedUntil,
      ...(reads !== undefined && { reads }),
      action: reads === 0 ? 'no code reads its variables: archive it' : actions[reason](releasedVariation(metaData))
    }
  ]
}

const actions: { readonly [Reason in StalenessReason]: (variation: string) => string } = {
  released: (variation) =>
    `production serves ${variation} to all users: remove its variables from the code (burgee cleanup), then complete it`,
  unused: () => 'its variables are not evaluated: archive it',
  unmodifiedShort: () => 'complete it, archive it, or snooze it while it is still needed',
  unmodifiedLong: () => 'check whether it is still needed; archive it, or snooze it'
}

/** Returns the key of the variation that all users get. */
function releasedVariation(metaData: NonNullable<Feature['staleness']>['metaData'] = {}): string {
  const release = metaData.releaseVariation
  const isNamed = typeof release === 'object' && release !== null && 'variationKey' in release
  return isNamed && typeof release.variationKey === 'string' ? release.variationKey : 'one variation'
}

function toRow({ key, reason, since, disabled, snoozedUntil, reads, action }: StaleFeature): readonly string[] {
  const places = reads ? ` (read in ${formatCount(reads, 'place')})` : ''
  return [key, reason, `since ${dayOf(since)}`, `${formatSilencing({ disabled, snoozedUntil })}${action}${places}`]
}

function formatSilencing({ disabled, snoozedUntil }: Pick<StaleFeature, 'disabled' | 'snoozedUntil'>): string {
  if (disabled) return 'disabled; '
  return snoozedUntil === undefined ? '' : `snoozed until ${dayOf(snoozedUntil)}; `
}

function dayOf(moment: string): string {
  return moment.slice(0, 10)
}
