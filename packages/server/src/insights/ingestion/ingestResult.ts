/** What a caller is told whose events were accepted. */
export function formatAccepted(accepted: number): string {
  return `Successfully received ${accepted} ${accepted === 1 ? 'event' : 'events'}`
}
