import type { WordContext } from '@burgee/contract/words'
import { parseBoolean, parseText, UsageError } from '@burgee/kit/settings'
import { formatColumns } from '../../output/formatColumns.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import { exitCodes } from '../../run/failures/exitCodes.ts'
import { withVariations, wordContext } from '../../run/server/wordContext.ts'
import type { Session } from '../../run/session.ts'
import { projectSettings } from '../../run/settings.ts'
import { formatShare } from '../flags/words.ts'
import { describeField } from './describeField.ts'

/** The environments of `compare` and `promote`. */
export const betweenSettings = {
  from: { variable: false, placeholder: 'environment', help: 'Environment to start from. Required.', parse: parseText },
  to: {
    variable: false,
    placeholder: 'environment',
    help: 'Environment to compare or change. Required.',
    parse: parseText
  }
} as const

/** Asserts that both environments are given. @throws {UsageError} */
export function assertBetween(name: string, { from, to }: { readonly from: string; readonly to: string }): void {
  if (from !== '' && to !== '') return
  throw new UsageError(`${name} needs --from and --to, two environments. See burgee ${name} --help`)
}

/** `burgee compare` */
export const compare = apiCommand({
  name: 'compare',
  summary: 'Compare what flags serve in two environments.',
  arguments: ['[flag]'],
  settings: {
    ...betweenSettings,
    exitCode: { kind: 'switch', variable: false, help: 'Exit with 1 if they differ.', parse: parseBoolean },
    ...projectSettings
  },
  details:
    'Without a flag, lists the flags that differ.\n\nExample:\n  burgee compare new-checkout --from staging --to production',
  run: async ({ arguments: [feature], settings }, session) => {
    const { client, project } = session
    assertBetween('compare', settings)
    const { from: a, to: b, exitCode } = settings
    const data = await client.compareEnvironments({
      params: { project: project() },
      query: { a, b, ...(feature !== undefined ? { feature } : { onlyDifferent: 'true' }) }
    })
    const isDifferent = data.features.some((one) => one.isDifferent)
    const words = feature !== undefined && isDifferent ? await readWords(session, feature) : undefined
    return {
      data,
      text: (width) => {
        if (!isDifferent) return `No difference between ${a} and ${b}.`
        return words === undefined
          ? formatTable(data.features, width)
          : data.features.map((one) => formatDifference(one, words)).join('\n')
      },
      ...(exitCode && isDifferent && { exitCode: exitCodes.found })
    }

    function formatTable(features: typeof data.features, width: number): string {
      const rows = features.map(({ feature: key, status: [left, right], admittedNow, targets }) => [
        key,
        describeSide(left, admittedNow[0]),
        describeSide(right, admittedNow[1]),
        targets
          .flatMap(({ name, change }) => (change === 'same' ? [] : [`"${name ?? 'unnamed'}" ${change}`]))
          .join(', ')
      ])
      return formatColumns([['KEY', a.toUpperCase(), b.toUpperCase(), 'TARGETS'], ...rows], width, {
        wrapped: [1, 2, 3]
      }).join('\n')
    }

    function formatDifference(
      { feature: key, status: [left, right], admittedNow, targets }: (typeof data.features)[number],
      context: WordContext
    ) {
      return [
        `${key}: ${a} ${describeSide(left, admittedNow[0])}; ${b} ${describeSide(right, admittedNow[1])}`,
        ...targets.flatMap(({ name, change, fields }) => [
          `  ${signs[change]} target "${name ?? 'unnamed'}" ${change}`,
          ...fields.map((field) => `      ${describeField(field, change, context)}`)
        ])
      ].join('\n')
    }
  }
})

/** Reads the names for descriptions of a feature. */
async function readWords(session: Session, feature: string): Promise<WordContext> {
  const project = session.project()
  const [words, found] = await Promise.all([
    wordContext(session, project),
    session.client.getFeature({ params: { project, feature } })
  ])
  return withVariations(words, found)
}

const signs = { same: ' ', added: '+', removed: '-', moved: '~', modified: '~' } as const

function describeSide(status: 'active' | 'inactive' | null | undefined, share = 0): string {
  if (!status) return 'missing'
  return status === 'active' ? `on, ${formatShare(share)}` : 'off'
}
