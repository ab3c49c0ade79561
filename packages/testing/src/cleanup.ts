const ends: (() => unknown)[] = []

/** Has something done after the tests of this file; what is asked for last is done first. */
export function addCleanup(end: () => unknown): void {
  ends.push(end)
}

/** Does it. */
export async function runCleanups(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end()
}
