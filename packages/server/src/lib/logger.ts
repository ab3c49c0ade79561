import { destination, type Logger, pino } from 'pino'

export type { Logger } from 'pino'

/**
 * Creates a logger of JSON lines on standard error. Callers log selected members only: never a body, a key or a token.
 */
export function createLogger(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination({ dest: 2, sync: true }))
}
