import { UsageError } from '@burgee/kit/settings'
import { diffReads, type ReadDifference } from '../../code/diffReads.ts'
import { commitInCommon, commitOf, git, revisionSource, rootOf, workingSource } from '../../code/git.ts'
import type { ScanOptions } from '../../code/source/codeRead.ts'
import type { CodeOptions } from './codeSettings.ts'
import { toScanOptions } from './scanFolder.ts'

/**
 * Compares the reads of a revision with those of another one, or of the work tree of a directory.
 * @throws {UsageError} outside a repository, and for an unknown revision.
 */
export function diffRange(range: string, { directory, options, knownKeys }: DiffOptions): ReadDifference {
  const [from = '', to = ''] = range.split(/\.{2,3}/)
  const root = rootOf(directory)
  if (root === undefined) {
    throw new UsageError(`${directory} is in no git repository: burgee diff compares revisions of one`)
  }
  // As on a pull request: what the branch changed since it left the other one.
  const base = commitInCommon(root, from || 'HEAD', to || 'HEAD')
  const target = to ? commitOf(root, to) : undefined
  const { files, renames } = changedFiles(root, base, target)
  const untracked = target ? '' : git(root, 'ls-files', '-z', '--others', '--exclude-standard')
  const changed = [...new Set([...files, ...untracked.split('\0').filter(Boolean)])]
  return diffReads(revisionSource(root, base), target ? revisionSource(root, target) : workingSource(root), {
    ...toScanOptions(options, knownKeys),
    changed,
    renames
  })
}

interface DiffOptions {
  readonly directory: string
  readonly options: CodeOptions
  readonly knownKeys: ScanOptions['knownKeys']
}

/** Returns the files that differ, and the new names of those that git detects as renamed. */
function changedFiles(root: string, base: string, target: string | undefined) {
  const listed = git(root, 'diff', '--name-status', '--find-renames', '-z', base, ...(target ? [target] : []))
  const words = listed.split('\0').filter(Boolean)
  const files: string[] = []
  const renames = new Map<string, string>()
  while (words.length > 0) {
    const status = words.shift() ?? ''
    const names = words.splice(0, /^[RC]/.test(status) ? 2 : 1)
    const [from = '', to] = names
    files.push(...names)
    if (to !== undefined && status.startsWith('R')) renames.set(from, to)
  }
  return { files, renames }
}
