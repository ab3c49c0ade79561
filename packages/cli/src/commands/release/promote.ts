import { writeFile } from 'node:fs/promises'
import { collect } from '@burgee/contract/client'
import type { Promotion } from '@burgee/contract/schemas'
import { optionalChoice, parseText, UsageError } from '@burgee/kit/settings'
import { describeItems } from '../../operations/protected/describeChanges.ts'
import { formatFeatureReport, isChanging, type ReportedFeature } from '../../output/formatFeatureReport.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import { exitCodes } from '../../run/failures/exitCodes.ts'
import { chooseEnvironment, readEnvironments } from '../../run/server/readEnvironments.ts'
import type { Session } from '../../run/session.ts'
import { confirmationSettings, projectSettings } from '../../run/settings.ts'
import { assertBetween, betweenSettings } from './compare.ts'

const parts = ['targets', 'status'] as const
const rolloutModes = ['keep', 'shift', 'drop'] as const

/** `burgee promote` */
export const promote = apiCommand({
  name: 'promote',
  summary: 'Copy what flags serve in one environment to another.',
  arguments: ['[flag...]'],
  settings: {
    ...betweenSettings,
    include: {
      kind: 'list',
      placeholder: 'part',
      help: 'What to copy: targets, status or targets,status. Default: targets, which turns nothing on.',
      choices: parts,
      parse: parseParts
    },
    rollouts: {
      variable: false,
      placeholder: 'mode',
      help: 'Unfinished rollouts: keep their dates, shift them to start now, or drop them, which includes everyone. If empty, they are refused.',
      ...optionalChoice(rolloutModes)
    },
    tag: { kind: 'list', help: 'Also the flags with this tag. Repeatable.', parse: parseText },
    report: { variable: false, placeholder: 'file', help: 'Write what was done to a file, as JSON.', parse: parseText },
    ...projectSettings,
    ...confirmationSettings
  },
  details:
    'Examples:\n  burgee promote new-checkout search --from staging --to production\n  burgee promote --tag checkout --from staging --to production --report report.json',
  run: async ({ arguments: keys, settings }, session) => {
    const { client, project, confirm, terminal } = session
    assertBetween('promote', settings)
    const { from, to, tag, rollouts, report: path } = settings
    const include = [...new Set(settings.include.flat())]
    const environments = await readEnvironments(session, project())
    for (const place of [from, to]) chooseEnvironment(environments, place, project())
    if (from === to) throw new UsageError(`--from and --to are both ${from}: they should differ`)
    const features = await selectFeatures(keys, tag, session)
    const body = {
      from: { environment: from },
      to: [{ environment: to }],
      features: [...features],
      ...(include.length > 0 && { include }),
      ...(rollouts && { rollouts })
    }
    const params = { project: project() }
    const preview = withOptions(await client.createPromotion({ params, body }))
    const changing = preview.items.filter(isChanging)
    if (changing.length === 0) return report(preview.items)
    const sentences = await describeItems(preview.items, session, from)
    terminal.show([...formatFeatureReport(preview.items, terminal.width), '', ...sentences].join('\n'))
    await confirm(`Promote ${changing.length} of ${features.length} from ${from} to ${to}?`)
    const done = await client.createPromotion({ params, body: { ...body, preview: false, digest: preview.digest } })
    return report(withOptions(done).items)

    async function report(items: typeof preview.items) {
      if (include.length === 1 && include[0] === 'status' && items.some(({ outcome }) => outcome === 'refused')) {
        terminal.notice('--include status copies no targets: to copy both, pass --include targets,status')
      }
      if (path !== '') await writeReport(path, { from, to, items })
      return {
        data: { items },
        text: (width: number) => formatFeatureReport(items, width).join('\n'),
        exitCode: exitCodeOf(items)
      }
    }
  }
})

/** Names the option where a reason names the member of the request. */
function withOptions(promotion: Promotion): Promotion {
  const items = promotion.items.map((item) => {
    const { error } = item
    if (!error) return item
    const message = [error.message].flat().map((text) => text.replace('set rollouts to', 'pass --rollouts with'))
    return { ...item, error: { ...error, message: message.join('; ') } }
  })
  return { ...promotion, items }
}

function parseParts(text: string): readonly (typeof parts)[number][] | undefined {
  const given = text.split(',')
  const found = parts.filter((part) => given.includes(part))
  return found.length === new Set(given).size ? found : undefined
}

/** Returns the given flags and those with the tags. @throws {UsageError} if there are none. */
async function selectFeatures(
  keys: readonly string[],
  tags: readonly string[],
  { client, project }: Session
): Promise<readonly string[]> {
  const found = new Set(keys)
  for (const tag of tags) {
    const query = { tags: [tag], sortBy: 'key' as const, sortOrder: 'asc' as const }
    const tagged = await collect(client.listFeatureSummaries, { params: { project: project() }, query })
    for (const { key } of tagged) found.add(key)
    if (tagged.length === 0) throw new UsageError(`no flag has the tag ${JSON.stringify(tag)}`)
  }
  if (found.size === 0) throw new UsageError('promote needs flags: pass keys, or --tag. See burgee promote --help')
  return [...found]
}

async function writeReport(path: string, report: object): Promise<void> {
  await writeFile(path, `${JSON.stringify(report, null, 2)}\n`).catch((error: Error) => {
    throw new UsageError(`${path} cannot be written: ${error.message}`, { cause: error })
  })
}

function exitCodeOf(items: readonly ReportedFeature[]): number {
  const refused = items.filter(({ outcome }) => outcome === 'refused').length
  if (refused > 0) return refused === items.length ? exitCodes.conflict : exitCodes.partial
  const isRequested = items.every(({ outcome }) => outcome === 'changeRequest')
  return isRequested ? exitCodes.requested : exitCodes.done
}
