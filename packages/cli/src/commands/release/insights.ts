import { collect } from '@burgee/contract/client'
import { parseText } from '@burgee/kit/settings'
import { changesWords, formatMinute } from '../../output/formatChange.ts'
import { formatColumns } from '../../output/formatColumns.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import { readNames } from '../../run/server/readNames.ts'
import { environmentFilter, numberSetting, projectSettings } from '../../run/settings.ts'
import { formatShare } from '../flags/words.ts'

/** `burgee results`, `burgee audit` and `burgee open` */
export const insightCommands = [
  apiCommand({
    name: 'results',
    summary: 'Show how often each variation of a flag was served during the last day.',
    arguments: ['<flag>'],
    settings: { ...environmentFilter, ...projectSettings },
    details:
      'Other periods: burgee evaluations feature. Experiments: burgee metrics results.\n\nExample:\n  burgee results new-checkout --environment production',
    run: async ({ arguments: [feature = ''], settings: { environment } }, { client, project }) => {
      const { result } = await client.getFeatureTotalEvaluations({
        params: { project: project(), feature },
        query: environment ? { environment } : {}
      })
      const counts = new Map<string, number>()
      for (const { values } of result.evaluations) {
        for (const [variation, count] of Object.entries(values))
          counts.set(variation, (counts.get(variation) ?? 0) + count)
      }
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
      const data = [...counts].map(([variation, evaluations]) => ({
        variation,
        evaluations,
        share: total === 0 ? 0 : evaluations / total
      }))
      const rows = data.map(({ variation, evaluations, share }) => [variation, String(evaluations), formatShare(share)])
      return {
        data,
        text: (width) =>
          total === 0
            ? `There were no evaluations of ${feature}.`
            : formatColumns([['VARIATION', 'EVALUATIONS', 'SHARE'], ...rows], width).join('\n')
      }
    }
  }),
  apiCommand({
    name: 'audit',
    summary: 'Show the newest changes of a project, or of one flag.',
    settings: {
      flag: { variable: false, placeholder: 'key', help: 'Only changes of this flag.', parse: parseText },
      ...numberSetting,
      ...environmentFilter,
      ...projectSettings
    },
    details: 'Example:\n  burgee audit --flag new-checkout -n 5',
    run: async ({ settings: { flag, number, environment } }, session) => {
      const { client, project } = session
      const query = {
        project: project(),
        ...(flag && { feature: flag }),
        ...(environment && { environment })
      }
      const data = await collect(client.listAuditEntries, { query }, number || undefined)
      const names = await readNames(session)
      const rows = data.map(({ date, idp_user: who, source = 'api', changes }) => {
        return [formatMinute(date), names.get(who) ?? who, source, changesWords(changes)]
      })
      return {
        data,
        text: (width) =>
          rows.length === 0
            ? 'There are no entries.'
            : formatColumns([['DATE', 'BY', 'WITH', 'CHANGES'], ...rows], width, { optional: [2] }).join('\n')
      }
    }
  }),
  apiCommand({
    name: 'open',
    summary: 'Open the dashboard at the project, or at one flag, and print its address.',
    arguments: ['[flag]'],
    details: 'Example:\n  burgee open new-checkout',
    settings: projectSettings,
    run: async ({ arguments: [key] }, { client, project, server, terminal }) => {
      const [organization] = await client.listOrganizations()
      // The address of a flag that does not exist has no page.
      if (key !== undefined) await client.getFeature({ params: { project: project(), feature: key } })
      const path = `/o/${organization?.id ?? 'current'}/p/${project()}/features${key === undefined ? '' : `/${key}/overview`}`
      const url = `${server}${path}`
      // The address is printed, so a missing browser is not an error.
      if (terminal.isTerminal) await terminal.open(url).catch(() => {})
      return { data: { url }, text: () => url }
    }
  })
]
