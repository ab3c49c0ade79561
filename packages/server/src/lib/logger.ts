import { destination, type Logger, pino } from 'pino'

export type { Logger } from 'pino'

/**
 * Creates a logger of JSON lines on standard error. Callers log selected members only: never a body, a key or a token.
 */
export function createLogger(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination({ dest: 2, sync: true }))
}

/** Creates a logger that passes the messages of warnings and errors to a function. */
export function createMessageLogger(onMessage: (message: string) => void): Logger {
  return pino({ level: 'warn', base: null }, { write: (line: string) => onMessage(JSON.parse(line).msg) })
}
