import { toRecord } from '../toRecord.ts'

/** The most that is told of an explanation, in characters. */
const MAX_LENGTH = 300

/** What a server says of its refusal, as a part of a sentence: a Burgee server says it in `message`, and OFREP in `errorDetails`. */
export function explanationIn(text: string | undefined): string {
  const { errorDetails, message } = toRecord(text ?? '')
  const said = typeof errorDetails === 'string' ? errorDetails : message
  const words = Array.isArray(said) ? said.join(', ') : said
  return typeof words === 'string' && words ? `: ${words.slice(0, MAX_LENGTH)}` : ''
}
