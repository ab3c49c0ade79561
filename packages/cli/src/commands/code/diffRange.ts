import type { ScanOptions } from '../../code/codeRead.ts'
import { diffReads, type ReadDifference } from '../../code/diffReads.ts'
import { git, revisionSource, workingSource } from '../../code/git.ts'
import type { CodeOptions } from './codeSettings.ts'
import { toScanOptions } from './scanFolder.ts'

/** Compares the reads of a revision with those of another one, or of the work tree. */
export function diffRange(range: string, options: CodeOptions, knownKeys: ScanOptions['knownKeys']): ReadDifference {
  const [from = 'HEAD', to = ''] = range.split(/\.{2,3}/)
  const root = git('.', 'rev-parse', '--show-toplevel').trim()
  // As on a pull request: what the branch changed since it left the other one.
  const base = git(root, 'merge-base', from || 'HEAD', to || 'HEAD').trim()
  const listed = git(root, 'diff', '--name-only', '--no-renames', '-z', base, ...(to ? [to] : []))
  const untracked = to ? '' : git(root, 'ls-files', '-z', '--others', '--exclude-standard')
  const changed = [...new Set(`${listed}${untracked}`.split('\0').filter(Boolean))]
  return diffReads(revisionSource(root, base), to ? revisionSource(root, to) : workingSource(root), {
    ...toScanOptions(options, knownKeys),
    changed
  })
}
