import { type Client, paginate } from '@burgee/contract/client'
import { Feature, Project, StalenessReason } from '@burgee/contract/schemas'
import { CommandError, type ParsedArguments, type ServerCommand } from '../kit/command.ts'
import { assertNoArguments, listTextOptions } from '../kit/commandArguments.ts'
import { formatColumns } from '../kit/formatColumns.ts'
import { formatRemoteHelp, remoteFlags } from '../kit/options.ts'

/** The command that lists the features that look as if they had done their work. */
export const staleCommand: ServerCommand = {
  name: 'stale',
  usage: '--project <project> [--reason <reason>]… [--include-silenced] [--fail] [--json]',
  summary: 'List the stale features of a project, as a running server has them at this moment.',
  details: [
    `  --reason <reason>\n      Only those that are stale for this reason: ${StalenessReason.options.join(', ')}. It can be given several times.`,
    '  --include-silenced\n      Also those that are snoozed or disabled.',
    '  --fail\n      End with 1 when there are any.',
    '  --json\n      Write a JSON array of objects with key, reason, since, disabled, snoozedUntil and action.',
    ...formatRemoteHelp()
  ],
  flags: {
    ...remoteFlags,
    reason: { type: 'string', multiple: true },
    'include-silenced': { type: 'boolean' },
    fail: { type: 'boolean' },
    json: { type: 'boolean' }
  },
  opens: 'server',
  run: async ({ client, project, print }, given) => {
    assertNoArguments(given)
    const reasons = parseReasons(given)
    await assertStalenessEnabled(client, project)
    const found = await listStaleFeatures(client, project, given.flags['include-silenced'] === true)
    const stale = found.filter(({ reason }) => reasons.includes(reason))
    if (given.flags.json) print(JSON.stringify(stale, undefined, 2))
    else if (stale.length === 0) print(`no feature of ${project} is stale`)
    else for (const line of formatColumns(stale.map(toRow))) print(line)
    return given.flags.fail && stale.length > 0 ? 1 : 0
  }
}

/** A stale feature, as the command tells of it. */
interface StaleFeature {
  readonly key: string
  readonly reason: StalenessReason
  readonly since: string
  readonly disabled: boolean
  readonly snoozedUntil?: string | undefined
  /** What there is to do. */
  readonly action: string
}

function parseReasons(given: ParsedArguments): readonly StalenessReason[] {
  const texts = listTextOptions(given, 'reason')
  if (texts.length === 0) return StalenessReason.options
  return texts.map((text) => {
    const reason = StalenessReason.options.find((name) => name === text)
    if (reason) return reason
    throw new CommandError(
      `--reason should be one of ${StalenessReason.options.join(', ')}, got ${JSON.stringify(text)}`
    )
  })
}

/** A list that is empty because nobody looks would say that all is well. @throws {CommandError} */
async function assertStalenessEnabled(client: Client, key: string): Promise<void> {
  // Whatever is at the address may answer with anything.
  const { settings } = Project.parse(await client.getProject({ params: { key } }))
  if (settings.staleness.enabled) return
  throw new CommandError(
    `project ${key} does not ask for stale features: switch on staleness.enabled with PATCH /v1/projects/${key}/settings/protected`
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
    `everybody in production gets ${variation}: take its variables out of the code, then complete it`,
  unused: () => 'nothing asks for its variables: archive it',
  unmodifiedShort: () => 'complete it, archive it, or snooze it while it is still needed',
  unmodifiedLong: () => 'see whether it is still needed; archive it, or snooze it'
}

/** The key of the variation that everybody gets. */
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
