import { findReads, type ScriptContext } from '../scanScript.ts'
import { isComponent, parseScript, SCRIPTS } from '../syntax.ts'
import { foldReads } from './foldReads.ts'
import type { Value } from './knownValue.ts'
import { removeUnused } from './removeUnused.ts'

interface CleanUpContext extends ScriptContext {
  readonly variable: string
  readonly value: Value
}

/**
 * Puts a value in the place of the reads of a variable in a file of JavaScript or TypeScript, or in the scripts of a
 * component of Vue or Svelte. Returns the same text where the result would have a syntax error.
 */
export function cleanUpText(text: string, file: string, context: CleanUpContext): string {
  if (!isComponent(file)) return cleanUpScript(text, file, context, new Set())
  // The markup uses the names of the scripts.
  const markup = text.replace(SCRIPTS, '')
  const pinned = new Set(markup.match(/[A-Za-z_$][\w$]*/g))
  return text.replace(SCRIPTS, (whole: string, open: string, body: string) => {
    const close = whole.slice(open.length + body.length)
    return `${open}${cleanUpScript(body, `${file}.tsx`, context, pinned)}${close}`
  })
}

function cleanUpScript(
  text: string,
  file: string,
  { variable, value, ...context }: CleanUpContext,
  pinned: ReadonlySet<string>
): string {
  const script = parseScript(text, file)
  const reads = findReads(script, file, context).filter(({ keys }) => keys.includes(variable))
  if (reads.length === 0) return text
  const folded = foldReads(script, reads, value, pinned).text
  // A result with a syntax error is left to the person, with its reads.
  return isValid(folded, file) ? removeUnused(text, folded, file, pinned) : text
}

function isValid(text: string, file: string): boolean {
  try {
    return parseScript(text, file).problem === undefined
  } catch {
    return false
  }
}
