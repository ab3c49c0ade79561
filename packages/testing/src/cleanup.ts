const ends: (() => unknown)[] = []

/** Has something done after the tests of this file; what is asked for last is done first. */
export function atEnd(end: () => unknown): void {
  ends.push(end)
}

/** Does it. */
export async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end()
}
