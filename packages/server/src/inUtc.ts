/** A moment as it is kept and answered: ISO 8601 in UTC with milliseconds, whatever offset it was given with. */
export function inUtc(moment: number | string): string {
  return new Date(moment).toISOString()
}
