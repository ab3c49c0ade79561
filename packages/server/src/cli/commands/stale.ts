import { type Client, paginate } from '@burgee/contract/client'
import { Feature, Project, StalenessReason } from '@burgee/contract/schemas'
import { parseBoolean, UsageError } from '@burgee/kit/settings'
import { formatColumns } from '../formatColumns.ts'
import { serverCommand } from '../kinds/serverCommand.ts'

/** `burgee-server stale` */
export const staleCommand = serverCommand({
  name: 'stale',
  summary: 'List the stale features of a project on a running server.',
  settings: {
    reason: {
      kind: 'list',
      placeholder: 'reason',
      help: `Only features that are stale for this reason: ${StalenessReason.options.join(', ')}. Repeatable.`,
      parse: (text: string) => StalenessReason.options.find((reason) => reason === text)
    },
    includeSilenced: {
      kind: 'switch',
      variable: false,
      help: 'Include features whose reminders are snoozed or disabled.',
      parse: parseBoolean
    },
    fail: { kind: 'switch', variable: false, help: 'Exit with 1 if there are stale features.', parse: parseBoolean },
    json: {
      kind: 'switch',
      variable: false,
      help: 'Print a JSON array of objects with key, reason, since, disabled, snoozedUntil and action.',
      parse: parseBoolean
    }
  },
  run: async ({ settings: { reason: reasons, includeSilenced, fail, json } }, { client, project, print }) => {
    await assertStalenessEnabled(client, project)
    const found = await listStaleFeatures(client, project, includeSilenced)
    const stale = found.filter(({ reason }) => reasons.length === 0 || reasons.includes(reason))
    if (json) print(JSON.stringify(stale, undefined, 2))
    else if (stale.length === 0) print(`project ${project} has no stale features`)
    else for (const line of formatColumns(stale.map(toRow))) print(line)
    return fail && stale.length > 0 ? 1 : 0
  }
})

/** A stale feature as the command prints it. */
interface StaleFeature {
  readonly key: string
  readonly reason: StalenessReason
  readonly since: string
  readonly disabled: boolean
  readonly snoozedUntil?: string | undefined
  /** The recommended action. */
  readonly action: string
}

/** Asserts that staleness checks are enabled; otherwise the list would always be empty. @throws {UsageError} */
async function assertStalenessEnabled(client: Client, key: string): Promise<void> {
  // Validates the response: the URL may belong to another program.
  const { settings } = Project.parse(await client.getProject({ params: { key } }))
  if (settings.staleness.enabled) return
  throw new UsageError(
    `project ${key} does not check for stale features; enable staleness.enabled with PATCH /v1/projects/${key}/settings/protected`
  )
}

async function listStaleFeatures(
  client: Client,
  key: string,
  includeSilenced: boolean
): Promise<readonly StaleFeature[]> {
  const list: Client['getStaleFeatures'] = async (request) =>
    Feature.array().parse(await client.getStaleFeatures(request))
  const stale: StaleFeature[] = []
  const query = { includeSilenced: String(includeSilenced), sortBy: 'key', sortOrder: 'asc' } as const
  for await (const feature of paginate(list, { params: { key }, query })) stale.push(...toStale(feature))
  return stale
}

function toStale({ key, staleness }: Feature): readonly StaleFeature[] {
  if (!staleness?.reason) return []
  const { reason, since = '', disabled, snoozedUntil, metaData } = staleness
  return [{ key, reason, since, disabled, snoozedUntil, action: actions[reason](releasedVariation(metaData)) }]
}

const actions: { readonly [Reason in StalenessReason]: (variation: string) => string } = {
  released: (variation) =>
    `production serves ${variation} to all users: remove its variables from the code, then complete it`,
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

function toRow({ key, reason, since, disabled, snoozedUntil, action }: StaleFeature): readonly string[] {
  return [key, reason, `since ${dayOf(since)}`, formatSilencing({ disabled, snoozedUntil }) + action]
}

function formatSilencing({ disabled, snoozedUntil }: Pick<StaleFeature, 'disabled' | 'snoozedUntil'>): string {
  if (disabled) return 'disabled; '
  return snoozedUntil === undefined ? '' : `snoozed until ${dayOf(snoozedUntil)}; `
}

function dayOf(moment: string): string {
  return moment.slice(0, 10)
}
