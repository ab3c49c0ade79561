/**
 * Receives messages for the operator. Must not throw.
 * @param level `error` if acknowledged changes or events are missing. Default: `warn`.
 */
export type OnNotice = (message: string, level?: 'warn' | 'error') => void
