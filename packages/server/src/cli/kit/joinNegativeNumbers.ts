/** Arguments with negative numbers joined to their flags, as in `--port=-1`: what begins with a dash is another flag otherwise. */
export function joinNegativeNumbers(args: readonly string[]): string[] {
  const joined: string[] = []
  for (const arg of args) {
    const before = joined.at(-1) ?? ''
    if (/^-\d/.test(arg) && /^--[\w-]+$/.test(before)) joined.splice(-1, 1, `${before}=${arg}`)
    else joined.push(arg)
  }
  return joined
}
