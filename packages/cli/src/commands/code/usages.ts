import { parseBoolean } from '@burgee/kit/settings'
import type { CodeRead, DynamicRead } from '../../code/source/codeRead.ts'
import { formatCount } from '../../output/formatCount.ts'
import { exitCodes } from '../../run/failures/exitCodes.ts'
import { sessionCommand } from '../../run/sessionCommand.ts'
import { assertOnlyOne, codeSettings, noticeProblems, readCodeOptions, readVariables } from './codeSettings.ts'

/** `burgee usages` */
export const usages = sessionCommand({
  name: 'usages',
  summary: 'List the variables that code reads, with file and line.',
  arguments: ['[folder]'],
  settings: {
    onlyUnknown: {
      kind: 'switch',
      variable: false,
      help: 'Only keys that are not variables of the project.',
      parse: parseBoolean
    },
    onlyUnused: {
      kind: 'switch',
      variable: false,
      help: 'Only active variables of the project that the code does not read.',
      parse: parseBoolean
    },
    fail: { kind: 'switch', variable: false, help: 'Exit with 1 if the list is not empty.', parse: parseBoolean },
    ...codeSettings
  },
  details: 'Example:\n  burgee usages src --only-unknown --fail\n\nMore: docs/guides/code-references.md',
  run: async ({ arguments: [folder = '.'], settings }, { terminal, session }) => {
    const { onlyUnknown, onlyUnused, fail, offline } = settings
    assertOnlyOne({ '--only-unknown': onlyUnknown, '--only-unused': onlyUnused })
    assertOnlyOne({ '--offline': offline, '--only-unknown': onlyUnknown })
    assertOnlyOne({ '--offline': offline, '--only-unused': onlyUnused })
    const variables = offline ? undefined : await readVariables(await session())
    const { scanFolder } = await import('./scanFolder.ts')
    const scan = scanFolder(folder, await readCodeOptions(settings, terminal), variables && new Set(variables.keys()))
    noticeProblems(scan, terminal.notice)
    const byKey = groupByKey(scan.reads)
    const read = [...byKey].map(([key, reads]) => ({
      key,
      status: variables ? (variables.get(key)?.status ?? 'unknown') : 'unchecked',
      reads
    }))
    const unused = [...(variables?.values() ?? [])]
      .filter(({ key, status }) => status === 'active' && !byKey.has(key))
      .map(({ key, status }) => ({ key, status, reads: [] }))
    const found = (onlyUnused ? unused : onlyUnknown ? read.filter(({ status }) => status === 'unknown') : read).sort(
      (one, other) => (one.key < other.key ? -1 : 1)
    )
    const data = { files: scan.files, variables: found, dynamic: scan.dynamic, problems: scan.problems }
    return {
      data,
      text: () =>
        [
          ...(found.length === 0 ? [`none in ${formatCount(scan.files, 'file')}`] : found.flatMap(formatVariable)),
          ...(onlyUnused || onlyUnknown ? [] : formatDynamic(scan.dynamic))
        ].join('\n'),
      ...(fail && found.length > 0 && { exitCode: exitCodes.found })
    }
  }
})

function groupByKey(reads: readonly CodeRead[]): ReadonlyMap<string, readonly CodeRead[]> {
  const groups = new Map<string, CodeRead[]>()
  for (const read of reads) groups.set(read.key, [...(groups.get(read.key) ?? []), read])
  return groups
}

interface FoundVariable {
  readonly key: string
  readonly status: string
  readonly reads: readonly CodeRead[]
}

function formatVariable({ key, status, reads }: FoundVariable): readonly string[] {
  const mark = status === 'active' || status === 'unchecked' ? '' : `  (${status})`
  return [`${key}${mark}`, ...reads.map((read) => `  ${formatPlace(read)}`)]
}

/** Formats a place: `src/cart.ts:12  likely, in a test`. */
export function formatPlace({ file, line, confidence, isTest }: CodeRead): string {
  const notes = [...(confidence === 'likely' ? ['likely'] : []), ...(isTest ? ['in a test'] : [])]
  return [`${file}:${line}`, ...(notes.length > 0 ? [notes.join(', ')] : [])].join('  ')
}

function formatDynamic(dynamic: readonly DynamicRead[]): readonly string[] {
  if (dynamic.length === 0) return []
  return [
    '',
    'The key of these reads is only known at run time:',
    ...dynamic.map(({ file, line, expression }) => `  ${file}:${line}  ${expression}`)
  ]
}
