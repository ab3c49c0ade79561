import { UsageError } from '@burgee/kit/settings'
import { formatColumns } from '../../output/formatColumns.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import { exitCodes } from '../../run/exitCodes.ts'
import { confirmationSettings, projectSettings } from '../../run/settings.ts'
import { assertBetween, betweenSettings } from './compare.ts'

const parts = ['targets', 'status'] as const

/** `burgee promote` */
export const promote = apiCommand({
  name: 'promote',
  summary: 'Copy what flags serve in one environment to another.',
  arguments: ['<key...>'],
  settings: {
    ...betweenSettings,
    include: {
      kind: 'list',
      placeholder: 'part',
      help: 'targets or status. Repeatable. If omitted, the targets: nothing is turned on.',
      parse: (text: string) => parts.find((part) => part === text)
    },
    ...projectSettings,
    ...confirmationSettings
  },
  details: 'Example:\n  burgee promote new-checkout search --from staging --to production',
  run: async ({ arguments: features, settings }, { client, project, confirm, terminal }) => {
    assertBetween('promote', settings)
    const { from, to, include } = settings
    if (from === to) throw new UsageError(`--from and --to are both ${from}: they should differ`)
    const body = {
      from: { environment: from },
      to: [{ environment: to }],
      features: [...features],
      ...(include.length > 0 && { include: [...include] })
    }
    const params = { project: project() }
    const preview = await client.createPromotion({ params, body })
    const changing = preview.items.filter(({ outcome }) => /^would/.test(outcome))
    if (changing.length === 0) return report(preview.items)
    terminal.show(formatItems(preview.items, terminal.width).join('\n'))
    await confirm(`Promote ${changing.length} of ${features.length} from ${from} to ${to}?`)
    const done = await client.createPromotion({ params, body: { ...body, preview: false, digest: preview.digest } })
    return report(done.items)

    function report(items: typeof preview.items) {
      return {
        data: { items },
        text: (width: number) => formatItems(items, width).join('\n'),
        exitCode: exitCodeOf(items)
      }
    }
  }
})

interface Item {
  readonly feature: string
  readonly outcome: string
  readonly changes: readonly unknown[]
  readonly error?: { readonly message: string | readonly string[] }
  readonly warnings: readonly string[]
}

/** Formats a report of changes of features as a table. */
export function formatItems(items: readonly Item[], width: number): readonly string[] {
  const rows = items.map(({ feature, outcome, changes, error, warnings }) => {
    const details = [error ? [error.message].flat().join('; ') : '', ...warnings].filter(Boolean).join('; ')
    return [feature, outcome, String(changes.length), details]
  })
  return formatColumns([['KEY', 'OUTCOME', 'CHANGES', 'DETAILS'], ...rows], width)
}

function exitCodeOf(items: readonly Item[]): number {
  const refused = items.filter(({ outcome }) => outcome === 'refused').length
  if (refused > 0) return refused === items.length ? exitCodes.conflict : exitCodes.partial
  const isRequested = items.every(({ outcome }) => outcome === 'changeRequest')
  return isRequested ? exitCodes.requested : exitCodes.done
}
