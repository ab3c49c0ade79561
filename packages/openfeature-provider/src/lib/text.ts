/** Returns the message of an error and its cause: `fetch failed` alone does not contain the reason. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && cause.message ? `${error.message}: ${cause.message}` : error.message
}
