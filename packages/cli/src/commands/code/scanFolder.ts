import { workingSource } from '../../code/git.ts'
import { type CodeScan, type FileSelection, scanSource } from '../../code/scanSource.ts'
import type { ScanOptions } from '../../code/source/codeRead.ts'
import type { CodeOptions } from './codeSettings.ts'

/** Converts the settings to the options of a scan. */
export function toScanOptions(
  { wrapper, codeClient, alias, pattern, include, exclude }: CodeOptions,
  knownKeys: ScanOptions['knownKeys']
): ScanOptions & FileSelection {
  return {
    wrappers: wrapper,
    clients: codeClient,
    aliases: new Map(alias),
    patterns: pattern,
    knownKeys,
    include,
    exclude
  }
}

/** Searches a folder. Loaded on demand, since it loads the parser. */
export function scanFolder(folder: string, options: CodeOptions, knownKeys: ScanOptions['knownKeys']): CodeScan {
  return scanSource(workingSource(folder), toScanOptions(options, knownKeys))
}
