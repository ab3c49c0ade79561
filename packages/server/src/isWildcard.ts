/** Whether listening on an address is listening on all of a computer's, none of which is the one that others know it by. */
export function isWildcard(address: string): boolean {
  return address === '0.0.0.0' || address === '::'
}
