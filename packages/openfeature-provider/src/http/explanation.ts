import { parseRecord } from '../lib/json.ts'
import { maskSecrets } from './serverOptions.ts'

/** The longest quote, in characters. */
const MAX_LENGTH = 300

/**
 * Formats a server's explanation as the end of a sentence, without secrets. Burgee servers send it as `message`, OFREP
 * servers as `errorDetails`.
 */
export function formatExplanation(text: string | undefined, key: string): string {
  const { errorDetails, message } = parseRecord(text ?? '')
  const explanation = typeof errorDetails === 'string' ? errorDetails : message
  const words = Array.isArray(explanation) ? explanation.join(', ') : explanation
  if (typeof words !== 'string' || !words) return ''
  // Masked before it is cut: part of a key could not be found.
  return `: ${maskSecrets(words, key).slice(0, MAX_LENGTH)}`
}
