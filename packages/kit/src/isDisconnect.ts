/** Whether an error means that the other side closed the connection, or that it timed out. */
export function isDisconnect(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DISCONNECT_CODES.includes(error.code)
}

const DISCONNECT_CODES: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE']
