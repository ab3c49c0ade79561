import { type FileSelection, scanFile, selectFiles } from './scanSource.ts'
import { createModuleReader } from './script/resolveKey.ts'
import type { CodeRead, CodeSource, ScanOptions } from './source/codeRead.ts'

/** The reads that a change of the code adds and removes. */
export interface ReadDifference {
  readonly added: readonly CodeRead[]
  readonly removed: readonly CodeRead[]
}

/**
 * Compares the reads of two versions of the code. A read that moves within its file, or with it, is neither added nor
 * removed. @param renames The new names of files by their names before.
 */
export function diffReads(
  before: CodeSource,
  after: CodeSource,
  {
    changed,
    renames,
    ...options
  }: ScanOptions &
    FileSelection & { readonly changed: readonly string[]; readonly renames: ReadonlyMap<string, string> }
): ReadDifference {
  const [left, right] = [readsOf(before), readsOf(after)]
  return { added: subtract(right, left), removed: subtract(left, right) }

  function readsOf(source: CodeSource): readonly LineRead[] {
    const readModule = createModuleReader(source)
    return selectFiles(changed, options).flatMap((file) => {
      const text = source.read(file)
      if (text === undefined) return []
      const lines = text.split('\n')
      return scanFile(text, file, options, readModule).reads.map((read) => ({
        read,
        identity: [source === before ? (renames.get(file) ?? file) : file, read.key, lines[read.line - 1]?.trim()].join(
          '\0'
        )
      }))
    })
  }
}

interface LineRead {
  readonly read: CodeRead
  /** The file, the key and the text of the line. */
  readonly identity: string
}

/** Returns the reads of the first list that the second one does not have as often. */
function subtract(reads: readonly LineRead[], others: readonly LineRead[]): readonly CodeRead[] {
  const counts = new Map<string, number>()
  for (const { identity } of others) counts.set(identity, (counts.get(identity) ?? 0) + 1)
  return reads.flatMap(({ read, identity }) => {
    const count = counts.get(identity) ?? 0
    counts.set(identity, count - 1)
    return count > 0 ? [] : [read]
  })
}
