/** What an error says, with what caused it: `fetch failed` alone tells nobody anything. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && cause.message ? `${error.message}: ${cause.message}` : error.message
}
