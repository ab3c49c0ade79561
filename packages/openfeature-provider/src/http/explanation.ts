import { parseRecord } from '../toRecord.ts'
import { maskSecrets } from './serverOptions.ts'

/** The most that is told of an explanation, in characters. */
const MAX_LENGTH = 300

/** What a server says of its refusal without the SDK key, as a part of a sentence: a Burgee server says it in `message`, and OFREP in `errorDetails`. */
export function formatExplanation(text: string | undefined, key: string): string {
  const { errorDetails, message } = parseRecord(text ?? '')
  const said = typeof errorDetails === 'string' ? errorDetails : message
  const words = Array.isArray(said) ? said.join(', ') : said
  if (typeof words !== 'string' || !words) return ''
  // The key first: what is left of one that is cut is not found any more.
  return `: ${maskSecrets(words, key).slice(0, MAX_LENGTH)}`
}
