import type { UpdateCodeUsages } from '@burgee/contract/schemas'
import { parseBoolean, parseText, UsageError } from '@burgee/kit/settings'
import { readRevision } from '../../code/revision.ts'
import type { CodeRead, DynamicRead } from '../../code/source/codeRead.ts'
import { formatCount } from '../../output/formatCount.ts'
import { sessionCommand } from '../../run/sessionCommand.ts'
import { assertOnlyOne, codeSettings, noticeProblems, readCodeOptions, readVariables } from './codeSettings.ts'

/** `burgee scan` */
export const scan = sessionCommand({
  name: 'scan',
  summary: 'Search code for reads of variables, and upload the places to the server.',
  arguments: ['[folder]'],
  settings: {
    upload: {
      kind: 'switch',
      variable: false,
      help: 'Upload the places: paths, lines and keys, and no code. It replaces what this branch had.',
      parse: parseBoolean
    },
    repo: {
      variable: false,
      placeholder: 'owner/name',
      help: 'Repository. If empty, that of the CI job, or of the remote origin.',
      parse: parseText
    },
    branch: { variable: false, help: 'Branch. If empty, that of the CI job or the work tree.', parse: parseText },
    defaultBranch: {
      kind: 'switch',
      variable: false,
      help: 'Treat the branch as the default branch, whose reads prevent features from being completed. If omitted, git or the name of the branch decides.',
      parse: parseBoolean
    },
    ...codeSettings
  },
  details: 'Example, on each push to the main branch:\n  burgee scan --upload\n\nMore: docs/guides/code-references.md',
  run: async ({ arguments: [folder = '.'], settings }, { terminal, session }) => {
    const { upload, offline, defaultBranch } = settings
    assertOnlyOne({ '--offline': offline, '--upload': upload })
    const variables = offline ? undefined : await readVariables(await session())
    const { scanFolder } = await import('./scanFolder.ts')
    const found = scanFolder(folder, await readCodeOptions(settings, terminal), variables && new Set(variables.keys()))
    noticeProblems(found, terminal.notice)
    const revision = readRevision(folder, terminal.environment)
    const [repo, branch] = [settings.repo || revision.repo, settings.branch || revision.branch]
    const isDefaultBranch = defaultBranch || revision.isDefaultBranch
    const usages = toCodeUsages(found.reads, revision.prefix)
    const document = {
      source: 'cli',
      ...(repo && { repo }),
      ...(branch && { branch }),
      ...(revision.commit && { commit: revision.commit }),
      ...(isDefaultBranch !== undefined && { isDefaultBranch }),
      variables: usages,
      dynamic: found.dynamic.map((read) => toDynamic(read, revision.prefix))
    }
    const summary = `Searched ${formatCount(found.files, 'file')}: ${formatCount(found.reads.length, 'read')} of ${formatCount(usages.length, 'variable')}, ${found.dynamic.length} of keys that are only known at run time.`
    if (!upload) return { data: document, text: () => summary }
    if (!repo || !branch) {
      const missing = repo ? 'branch' : 'repository'
      throw new UsageError(`the ${missing} is unknown: pass ${repo ? '--branch' : '--repo owner/name'}`)
    }
    const { client, project } = await session()
    const params = { project: project() }
    const data = await client.updateCodeUsages({ params, body: { ...document, repo, branch } })
    return {
      data,
      text: () =>
        [
          summary,
          `Uploaded ${formatCount(data.references, 'place')} of ${repo} (${branch}) to project ${params.project}.`,
          ...(data.unknown.length > 0 ? [`Not in the project: ${data.unknown.join(', ')}`] : [])
        ].join('\n')
    }
  }
})

/** Converts reads to the body of the upload. */
export function toCodeUsages(reads: readonly CodeRead[], prefix: string): UpdateCodeUsages['variables'] {
  const byKey = new Map<string, UpdateCodeUsages['variables'][number]['references']>()
  for (const { key, file, language, line, endLine, column, confidence, isTest } of reads) {
    const references = byKey.get(key) ?? []
    references.push({
      fileName: `${prefix}${file}`,
      language,
      lineNumbers: { start: line, end: endLine },
      column,
      confidence,
      isTest
    })
    byKey.set(key, references)
  }
  return [...byKey]
    .map(([key, references]) => ({ key, references }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
}

function toDynamic({ file, line, endLine, expression }: DynamicRead, prefix: string) {
  return { fileName: `${prefix}${file}`, lineNumbers: { start: line, end: endLine }, expression }
}
