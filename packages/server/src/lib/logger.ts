import { destination, type Logger, type LoggerOptions, pino } from 'pino'

export type { Logger } from 'pino'

/** Options of every logger. */
export const logOptions: LoggerOptions = { base: null, serializers: { err: serializeError } }

/**
 * Creates a logger of JSON lines on standard error. Callers log selected members only: never a body, a key or a token.
 */
export function createLogger(level: string): Logger {
  const timestamp = pino.stdTimeFunctions.isoTime
  return pino({ ...logOptions, level, timestamp }, destination({ dest: 2, sync: true }))
}

/** Creates a logger that passes the messages of warnings and errors to a function. */
export function createMessageLogger(onMessage: (message: string) => void): Logger {
  return pino({ level: 'warn', base: null }, { write: (line: string) => onMessage(JSON.parse(line).msg) })
}

function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  return Object.assign(pino.stdSerializers.err(error), { message: formatMessage(error) })
}

/** Returns the messages of an error and its causes. Most messages already contain that of their cause. */
function formatMessage(error: Error): string {
  let [text, { cause }] = [error.message, error]
  for (let count = 0; cause instanceof Error && count < MAX_CAUSES; count++) {
    if (!text.includes(cause.message)) text += `: ${cause.message}`
    cause = cause.cause
  }
  return text
}

/** Causes can be circular. */
const MAX_CAUSES = 5
