import { languageOf, languages } from './languages/languages.ts'
import { scanPatterns } from './languages/scanPatterns.ts'
import { scanText } from './languages/scanText.ts'
import { FLAG_COMPONENT, readCalls, readDecorators } from './script/readCalls.ts'
import { createModuleReader, type ReadModule } from './script/resolveKey.ts'
import { scanScript } from './script/scanScript.ts'
import type { CodeRead, CodeSource, DynamicRead, FileReads, ScanOptions } from './source/codeRead.ts'
import { globMatcher } from './source/globs.ts'

/** What the code of a source reads. */
export interface CodeScan {
  /** The number of files that were searched. */
  readonly files: number
  readonly reads: readonly CodeRead[]
  readonly dynamic: readonly DynamicRead[]
  readonly problems: readonly ScanProblem[]
}

/** A file that was searched only as far as possible, as one with a syntax error, or not at all. */
export interface ScanProblem {
  readonly file: string
  readonly isSearched: boolean
  readonly message: string
}

/** The files of a source that count. */
export interface FileSelection {
  /** Globs; all files if empty. */
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

/** Finds the reads of variables in a source. */
export function scanSource(source: CodeSource, options: ScanOptions & FileSelection): CodeScan {
  const readModule = createModuleReader(source)
  const found: FileReads[] = []
  const problems: ScanProblem[] = []
  const selected = selectFiles(source.files, options)
  for (const file of selected) {
    const text = source.read(file)
    if (text === undefined) {
      const message = source.whyUnread?.(file)
      if (message !== undefined) problems.push({ file, isSearched: false, message })
      continue
    }
    const reads = scanFile(text, file, options, readModule)
    if (reads.problem) problems.push({ file, isSearched: true, message: reads.problem })
    found.push(reads)
  }
  return {
    files: found.length,
    reads: found.flatMap(({ reads }) => reads),
    dynamic: found.flatMap(({ dynamic }) => dynamic),
    problems
  }
}

/** Returns the files that can read variables. */
export function selectFiles(
  files: readonly string[],
  { include, exclude, patterns = [] }: FileSelection & Pick<ScanOptions, 'patterns'>
): readonly string[] {
  const hasPattern = globMatcher(patterns.map(({ glob }) => glob))
  const isExcluded = globMatcher([...exclude, '**/node_modules/**', '*.min.js', '*.d.ts'])
  const isIncluded = globMatcher(include)
  return files
    .filter((file) => isScript(file) || languageOf(file) !== undefined || hasPattern(file))
    .filter((file) => (include.length === 0 || isIncluded(file)) && !isExcluded(file))
    .sort()
}

/** Whether a file is parsed as JavaScript or TypeScript. */
export function isScript(file: string): boolean {
  return /\.([mc]?[jt]s|[jt]sx|vue|svelte)$/.test(file)
}

/** Finds the reads in one file. */
export function scanFile(text: string, file: string, options: ScanOptions, readModule: ReadModule): FileReads {
  const reads = isScript(file) ? scanScriptFile(text, file, options, readModule) : scanOther(text, file, options)
  const isTest = isTestFile(file)
  return {
    ...reads,
    reads: [...reads.reads, ...scanPatterns(text, file, options)].map((read) => ({ ...read, isTest })),
    dynamic: reads.dynamic.map((read) => ({ ...read, isTest }))
  }
}

function scanScriptFile(text: string, file: string, options: ScanOptions, readModule: ReadModule): FileReads {
  if (!canRead(text, options)) return NONE
  try {
    return scanScript(text, file, { ...options, readModule })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { ...scanText(text, file, brokenScript, options), problem: message }
  }
}

function scanOther(text: string, file: string, options: ScanOptions): FileReads {
  const language = languageOf(file)
  return language ? scanText(text, file, language, options) : NONE
}

const NONE: FileReads = { reads: [], dynamic: [] }

/** Whether a text can have reads, so that most files need no parser. */
function canRead(text: string, { wrappers, clients, knownKeys }: ScanOptions): boolean {
  if (distinctCall.test(text) || wrappers.some(({ name }) => text.includes(name.split('.').at(-1) ?? name))) return true
  if (!commonCall.test(text)) return false
  if (sdkImport.test(text) || clients.some((name) => text.includes(name))) return true
  return knownKeys !== undefined && [...text.matchAll(quotedKey)].some(([, key = '']) => knownKeys.has(key))
}

const callNames = (isCommon: boolean) =>
  [...readCalls].filter(([, call]) => call.isCommon === isCommon).map(([name]) => name)
const distinctCall = new RegExp(`\\b(?:${[...callNames(false), ...readDecorators, FLAG_COMPONENT].join('|')})\\b`)
const commonCall = new RegExp(`\\b(?:${callNames(true).join('|')})\\b`)
const sdkImport = /['"]@(?:openfeature|burgee|devcycle)\//
const quotedKey = /['"`]([a-z0-9._-]+)['"`]/g

/** A file of JavaScript or TypeScript that cannot be parsed is searched like Dart, whose calls are the same. */
const brokenScript = {
  name: 'javascript',
  endings: [],
  comments: ['slashes', 'block'],
  quotes: ['"', "'", '`'],
  calls: languages.find(({ name }) => name === 'dart')?.calls ?? []
} as const

/** Whether a file has tests, by its name or folder. */
const isTestFile = globMatcher([
  '*.{test,spec,cy,stories}.*',
  '*_test.*',
  'test_*.py',
  '*Test.{java,kt,cs,swift}',
  '*Tests.{java,kt,cs,swift}',
  '*_spec.rb',
  '**/__tests__/**',
  '**/{test,tests,e2e}/**'
])
