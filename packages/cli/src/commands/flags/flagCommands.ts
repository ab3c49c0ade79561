import { collect } from '@burgee/contract/client'
import type { FeatureListItem } from '@burgee/contract/schemas'
import { servedSentences } from '@burgee/contract/words'
import { choice, parseText, UsageError } from '@burgee/kit/settings'
import { previewRequest } from '../../operations/describeRequest.ts'
import { describeProtectedChange } from '../../operations/protected/describeProtected.ts'
import { formatColumns } from '../../output/formatColumns.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import { assertPermitted } from '../../run/server/assertPermitted.ts'
import { readEnvironments } from '../../run/server/readEnvironments.ts'
import { withVariations, wordContext } from '../../run/server/wordContext.ts'
import type { Session } from '../../run/session.ts'
import {
  confirmationSettings,
  dryRunSettings,
  environmentSettings,
  limitSettings,
  projectSettings
} from '../../run/settings.ts'
import { quoteWord } from '../../run/suggestCommand.ts'
import { changeFlag } from './changeFlag.ts'
import { findVariation } from './findVariation.ts'
import type { FlagInEnvironment } from './flag.ts'
import { statusWords } from './words.ts'

const featureTypes = ['release', 'experiment', 'permission', 'ops'] as const

/** `burgee flags …` */
export const flagCommands = [
  apiCommand({
    name: 'flags list',
    summary: 'List the flags of a project with their status in each environment.',
    settings: {
      search: { variable: false, help: 'Only flags whose key or name contains this text.', parse: parseText },
      tag: { kind: 'list', help: 'Only flags with this tag. Repeatable.', parse: parseText },
      ...limitSettings,
      ...projectSettings
    },
    details: 'Example:\n  burgee flags list --search checkout',
    run: async ({ settings: { search, tag, limit } }, { client, project, suggest }) => {
      const query = {
        sortBy: 'key',
        sortOrder: 'asc',
        ...(search && { search }),
        ...(tag.length > 0 && { tags: [...tag] })
      } as const
      const flags = await collect(
        client.listFeatureSummaries,
        { params: { project: project() }, query },
        limit || undefined
      )
      return { data: flags, text: (width) => formatFlags(flags, width, suggest('flags create <key>')) }
    }
  }),
  apiCommand({
    name: 'flags create',
    summary: 'Create a flag with one Boolean variable of its key, off everywhere.',
    arguments: ['<key>'],
    settings: {
      name: { variable: false, help: 'Name. If empty, the key.', parse: parseText },
      type: {
        variable: false,
        default: 'release',
        placeholder: 'type',
        help: `One of ${featureTypes.join(', ')}.`,
        ...choice(featureTypes)
      },
      description: { variable: false, help: 'Explains the flag to people.', parse: parseText },
      tag: { kind: 'list', help: 'A label by which lists are filtered. Repeatable.', parse: parseText },
      ...dryRunSettings,
      ...projectSettings
    },
    details:
      'Other variables and variations: burgee features create.\n\nExample:\n  burgee flags create new-checkout --name "New checkout"',
    run: async ({ arguments: [key = ''], settings: { name, type, description, tag, dryRun } }, session) => {
      if (key === '') throw new UsageError('the key of the flag is empty: name it, for example new-checkout')
      const params = { project: session.project() }
      const body = {
        key,
        name: name || key,
        type,
        ...(description && { description }),
        ...(tag.length > 0 && { tags: [...tag] })
      }
      if (dryRun) return previewRequest('createFeature', { params, query: {}, headers: {}, body }, session)
      const created = await session.client.createFeature({ params, body })
      return {
        data: created,
        text: () =>
          `Created ${created.key}. Turn it on with ${session.suggest(`flags on ${created.key} --environment development --serve variation-on`)}`
      }
    }
  }),
  apiCommand({
    name: 'flags show',
    summary: 'Show a flag: its variations, and what it serves in each environment.',
    arguments: ['<flag>'],
    details: 'Example:\n  burgee flags show new-checkout',
    settings: projectSettings,
    run: async ({ arguments: [key = ''] }, session) => {
      const { client } = session
      const project = session.project()
      const params = { project, feature: key }
      const [feature, configurations, environments, context] = await Promise.all([
        client.getFeature({ params }),
        client.listFeatureConfigurations({ params }),
        readEnvironments(session, project),
        wordContext(session, project)
      ])
      const words = withVariations(context, feature)
      const inEnvironments = environments.map(({ _id, key: environment }) => {
        const configuration = configurations.find(({ _environment }) => _environment === _id)
        return { environment, serves: configuration ? servedSentences(feature, configuration, words) : [] }
      })
      const data = { feature, environments: inEnvironments }
      return {
        data,
        text: (width) => [header(feature), variations(feature, width), ...inEnvironments.map(served)].join('\n\n')
      }
    }
  }),
  apiCommand({
    name: 'flags on',
    summary: 'Turn a flag on in an environment.',
    arguments: ['<flag>'],
    settings: {
      serve: {
        variable: false,
        placeholder: 'variation',
        help: 'Serve this variation to everyone, for a flag that serves nothing there yet.',
        parse: parseText
      },
      ...environmentSettings,
      ...projectSettings,
      ...confirmationSettings
    },
    details: 'Example:\n  burgee flags on new-checkout --environment staging --serve variation-on',
    run: ({ arguments: [key = ''], settings: { serve } }, session) => {
      return changeFlag(session, key, (flag) => ({ status: 'active', ...firstTarget(flag, serve, session) }))
    }
  }),
  apiCommand({
    name: 'flags off',
    summary: 'Turn a flag off in an environment. Its targets are kept.',
    arguments: ['<flag>'],
    settings: { ...environmentSettings, ...projectSettings, ...confirmationSettings },
    details:
      'In an emergency, turn it off in all environments: burgee flags kill.\n\nExample:\n  burgee flags off new-checkout --environment staging',
    run: ({ arguments: [key = ''] }, session) => changeFlag(session, key, () => ({ status: 'inactive' }))
  }),
  apiCommand({
    name: 'flags kill',
    summary: 'Turn a flag off in all environments at once, without approval.',
    arguments: ['<flag>'],
    details: 'Example:\n  burgee flags kill new-checkout --reason "Orders fail."',
    settings: {
      reason: { variable: false, help: 'The reason, for the audit log.', parse: parseText },
      ...projectSettings,
      ...confirmationSettings
    },
    run: async ({ arguments: [key = ''], settings: { reason, yes } }, session) => {
      const project = session.project()
      const request = { params: { feature: key }, query: {}, headers: {} }
      // A kill is urgent: with --yes, it is the only request, so a failed preview cannot prevent it.
      const change = yes
        ? undefined
        : await describeProtectedChange('killFeature', request, session).catch(() => undefined)
      if (!yes)
        await assertPermitted(session, 'killFeature', change ? ['feature:write', 'feature:publish'] : ['feature:write'])
      if (change) session.terminal.show(change.lines.join('\n'))
      await session.confirm(`Turn ${key} off in all environments of ${project}?`)
      const body = reason ? { reason } : {}
      const data = await session.client.killFeature({ params: { project, feature: key }, body })
      // The server records a kill only where it turns the flag off.
      const isRecorded = data.configurations.some(({ killedAt }) => killedAt !== undefined)
      const text = isRecorded
        ? `Killed ${key}: it is off in all environments of ${project}.`
        : `${key} was already off in all environments of ${project}; nothing was recorded. A rollout or an approved change request can turn it on.`
      return { data, text: () => text }
    }
  })
]

function formatFlags(flags: readonly FeatureListItem[], width: number, create: string): string {
  if (flags.length === 0) return `There are no such flags. Create one with ${create}`
  const environments = [...new Set(flags.flatMap((flag) => Object.keys(flag.environments)))]
  // An empty column would leave less room for those of the environments.
  const hasStatus = flags.some(({ status }) => status !== 'active')
  const rows = flags.map((flag) => [
    flag.key,
    flag.name,
    ...(hasStatus ? [flag.status === 'active' ? '' : flag.status] : []),
    ...environments.map((key) => {
      const status = flag.environments[key]
      return status ? statusWords(status) : ''
    })
  ])
  return formatColumns(
    [['KEY', 'NAME', ...(hasStatus ? ['STATUS'] : []), ...environments.map((key) => key.toUpperCase())], ...rows],
    width,
    // What flags serve is more important than their names.
    { optional: [1], wrapped: [...environments.keys()].map((index) => index + (hasStatus ? 3 : 2)) }
  ).join('\n')
}

function header({ key, name, type, status, description }: FlagInEnvironment['feature']): string {
  return [`${name} (${key}): ${type}, ${status}`, ...(description ? [description] : [])].join('\n')
}

function variations({ variations: all }: FlagInEnvironment['feature'], width: number): string {
  const keys = [...new Set(all.flatMap(({ variables }) => Object.keys(variables ?? {})))]
  const rows = all.map(({ key, variables }) => [key, ...keys.map((name) => JSON.stringify(variables?.[name]) ?? '')])
  return formatColumns([['VARIATION', ...keys], ...rows], width).join('\n')
}

function served({ environment, serves }: { readonly environment: string; readonly serves: readonly string[] }): string {
  return [`${environment}:`, ...serves.map((line) => `  ${line}`)].join('\n')
}

/** Returns the target for everyone that `--serve` asks for. @throws {UsageError} if the flag has targets already. */
function firstTarget(flag: FlagInEnvironment, serve: string, { suggest }: Pick<Session, 'suggest'>) {
  if (serve === '') return {}
  const { configuration, feature, environment } = flag
  if (configuration.targets.length > 0) {
    const command = suggest(`serve ${feature.key} ${quoteWord(serve)} --environment ${environment.key}`)
    throw new UsageError(
      `${feature.key} has targets in ${environment.key} already, so --serve cannot say what it serves: leave it out, or use ${command}`
    )
  }
  const { key } = findVariation(feature, serve)
  const filters = { operator: 'and', filters: [{ type: 'all' }] } as const
  return {
    targets: [
      {
        name: 'Everyone',
        audience: { filters: { ...filters, filters: [...filters.filters] } },
        distribution: [{ _variation: key, percentage: 1 }]
      }
    ]
  }
}
