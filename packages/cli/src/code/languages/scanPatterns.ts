import type { CodeRead, ScanOptions } from '../source/codeRead.ts'
import { globMatcher } from '../source/globs.ts'
import { linePositions } from '../source/linePositions.ts'
import { languageOf } from './languages.ts'
import { findMatches } from './linearPattern.ts'

/** Finds the reads of a file by the patterns of the repository. */
export function scanPatterns(
  text: string,
  file: string,
  { patterns = [] }: Pick<ScanOptions, 'patterns'>
): readonly CodeRead[] {
  const own = patterns.filter(({ glob }) => globMatcher([glob])(file))
  if (own.length === 0) return []
  const position = linePositions(text)
  const language = languageOf(file)?.name ?? file.split('.').at(-1) ?? ''
  return own.flatMap(({ expression }) =>
    findMatches(expression, text).map(({ start, end, key }) => {
      const endLine = position(end).line
      return { key, file, language, ...position(start), endLine, confidence: 'likely', isTest: false }
    })
  )
}
