/**
 * Receives messages for the operator. Must not throw.
 * @param level `error` if acknowledged changes are missing. Default: `warn`.
 */
export type OnNotice = (message: string, level?: 'warn' | 'error') => void
