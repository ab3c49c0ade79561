import { collect } from '@burgee/contract/client'
import type { FeatureListItem } from '@burgee/contract/schemas'
import { choice, parseBoolean } from '@burgee/kit/settings'
import type { CodeRead } from '../../code/source/codeRead.ts'
import { exitCodes } from '../../run/failures/exitCodes.ts'
import type { Session } from '../../run/session.ts'
import { sessionCommand } from '../../run/sessionCommand.ts'
import { statusWords } from '../flags/words.ts'
import { codeSettings, type KnownVariable, readCodeOptions, readVariables } from './codeSettings.ts'
import { formatPlace } from './usages.ts'

const failures = ['unknown', 'archived'] as const

/** `burgee diff` */
export const diff = sessionCommand({
  name: 'diff',
  summary: 'List the reads of variables that a change of the code adds and removes.',
  arguments: ['[range]'],
  settings: {
    prComment: {
      kind: 'switch',
      variable: false,
      help: 'Print Markdown for a comment on a pull request, with the status of each variable in each environment.',
      parse: parseBoolean
    },
    failOn: {
      kind: 'list',
      placeholder: 'status',
      help: `Exit with 1 if a read is added of a variable that is ${failures.join(' or ')}. Repeatable.`,
      ...choice(failures)
    },
    ...codeSettings
  },
  details:
    'Compares a revision with the work tree, or two revisions: main, or main..HEAD. HEAD if omitted.\n\nExample, on a pull request:\n  burgee diff origin/main..HEAD --pr-comment\n\nMore: docs/guides/code-references.md',
  run: async ({ arguments: [range = 'HEAD'], settings }, { terminal, session }) => {
    const { prComment, failOn, offline } = settings
    const server = offline ? undefined : await session()
    const variables = server && (await readVariables(server))
    const { diffRange } = await import('./diffRange.ts')
    const { added, removed } = diffRange(range, {
      directory: terminal.directory,
      options: await readCodeOptions(settings, terminal),
      knownKeys: variables && new Set(variables.keys())
    })
    const statusOf = ({ key }: CodeRead) => (variables ? (variables.get(key)?.status ?? 'unknown') : 'unchecked')
    const withStatus = (read: CodeRead) => ({ ...read, status: statusOf(read) })
    const data = { added: added.map(withStatus), removed: removed.map(withStatus) }
    const isFound = data.added.some(({ status }) => failOn.some((one) => one === status))
    const exitCode = isFound ? exitCodes.found : exitCodes.done
    if (prComment) {
      // Programs that read this output expect Markdown, not JSON.
      terminal.write(await formatComment(data, variables, server))
      return { data: undefined, text: () => '', exitCode }
    }
    return { data, text: () => formatLines(data), exitCode }
  }
})

type ReadWithStatus = CodeRead & { readonly status: string }

interface Difference {
  readonly added: readonly ReadWithStatus[]
  readonly removed: readonly ReadWithStatus[]
}

function formatLines({ added, removed }: Difference): string {
  if (added.length + removed.length === 0) return 'No read of a variable is added or removed.'
  const line = (sign: string) => (read: ReadWithStatus) => {
    const mark = /^(active|unchecked)$/.test(read.status) ? '' : ` (${read.status})`
    return `${sign} ${read.key}${mark}  ${formatPlace(read)}`
  }
  return [...added.map(line('+')), ...removed.map(line('-'))].join('\n')
}

async function formatComment(
  { added, removed }: Difference,
  variables: ReadonlyMap<string, KnownVariable> = new Map(),
  session?: Session
): Promise<string> {
  const keys = [...new Set([...added, ...removed].map(({ key }) => key))].sort()
  if (keys.length === 0) return 'This change adds and removes no reads of feature flags.\n'
  const features = session ? await readSummaries(session) : new Map<string, FeatureListItem>()
  const environments = [...new Set([...features.values()].flatMap((one) => Object.keys(one.environments)))]
  const rows = keys.map((key) => {
    const variable = variables.get(key)
    const feature = variable?._feature === undefined ? undefined : features.get(variable._feature)
    const count = (reads: readonly CodeRead[]) => String(reads.filter((one) => one.key === key).length || '')
    const status = session ? (variable?.status ?? '**unknown**') : ''
    const served = environments.map((name) => {
      const found = feature?.environments[name]
      return found ? statusWords(found) : ''
    })
    return [`\`${key}\``, status, count(added), count(removed), ...served]
  })
  const header = ['variable', 'status', 'added', 'removed', ...environments]
  const places = (title: string, reads: readonly CodeRead[]) =>
    reads.length === 0
      ? []
      : ['', `${title}:`, ...reads.map((read) => `- \`${read.key}\` in \`${read.file}:${read.line}\``)]
  return [
    '### Feature flags in this change',
    '',
    ...[header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`),
    ...places('Added', added),
    ...places('Removed', removed),
    ''
  ].join('\n')
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

async function readSummaries({ client, project }: Session): Promise<ReadonlyMap<string, FeatureListItem>> {
  const features = await collect(client.listFeatureSummaries, { params: { project: project() } })
  return new Map(features.map((feature) => [feature._id, feature]))
}
