import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '@burgee/kit/settings'
import { tryGit, workingSource } from '../../code/git.ts'
import { isScript, type ScanProblem, scanSource } from '../../code/scanSource.ts'
import { cleanUpText } from '../../code/script/cleanup/cleanUpText.ts'
import type { Value } from '../../code/script/cleanup/knownValue.ts'
import { createModuleReader } from '../../code/script/resolveKey.ts'
import type { CodeRead, CodeSource, DynamicRead, ScanOptions } from '../../code/source/codeRead.ts'
import { unifiedDiff } from '../../code/unifiedDiff.ts'
import type { CodeOptions } from './codeSettings.ts'
import { toScanOptions } from './scanFolder.ts'

interface CleanUpOptions extends CodeOptions {
  readonly variable: string
  readonly value: Value
  readonly knownKeys: ScanOptions['knownKeys']
}

/** A file that a clean-up changes. */
export interface FileChange {
  readonly file: string
  readonly text: string
  readonly diff: string
}

/** What a clean-up changes and leaves, by a scan of the result. */
export interface CleanUp {
  readonly changes: readonly FileChange[]
  readonly left: readonly CodeRead[]
  readonly dynamic: readonly DynamicRead[]
  readonly problems: readonly ScanProblem[]
}

/** Puts a value in the place of the reads of a variable in the code of a folder. Writes nothing. */
export function cleanUpFolder(folder: string, { variable, value, knownKeys, ...options }: CleanUpOptions): CleanUp {
  const source = workingSource(folder)
  const scanOptions = toScanOptions(options, knownKeys)
  const isRead = ({ key }: CodeRead) => key === variable
  const files = new Set(
    scanSource(source, scanOptions)
      .reads.filter(isRead)
      .map(({ file }) => file)
  )
  const readModule = createModuleReader(source)
  const changes = [...files].filter(isScript).flatMap((file): readonly FileChange[] => {
    const before = source.read(file)
    if (before === undefined) return []
    const text = tryCleanUp(() => cleanUpText(before, file, { ...scanOptions, readModule, variable, value })) ?? before
    return text === before ? [] : [{ file, text, diff: unifiedDiff(file, before, text) }]
  })
  const after = scanSource(withChanges(source, changes), scanOptions)
  return { changes, left: after.reads.filter(isRead), dynamic: after.dynamic, problems: after.problems }
}

/** A file that cannot be parsed is left unchanged: the final scan names it and lists its reads. */
function tryCleanUp(cleanUp: () => string): string | undefined {
  try {
    return cleanUp()
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Returns a source with other texts of some files. */
function withChanges(source: CodeSource, changes: readonly FileChange[]): CodeSource {
  const texts = new Map(changes.map(({ file, text }) => [file, text]))
  return { ...source, read: (file) => texts.get(file) ?? source.read(file) }
}

/** Writes the changes of a clean-up. @throws {UsageError} if the work tree has changes that could get lost in it. */
export function writeFiles(
  folder: string,
  changes: readonly FileChange[],
  { force }: { readonly force: boolean }
): void {
  const status = tryGit(folder, 'status', '--porcelain', '--', '.')
  if (!force && status !== '') {
    const reason = status === undefined ? 'is in no work tree of git' : 'has changes that are not committed'
    throw new UsageError(`${folder === '.' ? 'this folder' : folder} ${reason}: commit them, or pass --force`)
  }
  for (const { file, text } of changes) writeFileSync(join(folder, file), text)
}
