import { parseRecord } from '../lib/json.ts'
import { maskSecrets } from './serverOptions.ts'

/** The maximum length of a quote, in characters. */
const MAX_LENGTH = 300

/**
 * Formats a server's explanation as the end of a sentence, without secrets. Burgee servers send it as `message`, OFREP
 * servers as `errorDetails`.
 */
export function formatExplanation(text: string | undefined, key: string): string {
  const { errorDetails, message } = parseRecord(text ?? '')
  const explanation = typeof errorDetails === 'string' ? errorDetails : message
  const quote = Array.isArray(explanation) ? explanation.join(', ') : explanation
  if (typeof quote !== 'string' || !quote) return ''
  // Masked before it is truncated, because a truncated key would not be recognized.
  return `: ${maskSecrets(quote, key).slice(0, MAX_LENGTH)}`
}
