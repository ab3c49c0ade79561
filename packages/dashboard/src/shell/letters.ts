interface Page {
  readonly title: string
  /** The key that opens it. Without one, the first letter of the title that is free. */
  readonly letter?: string
}

/** Pages by the key that opens them after `g`. */
export function lettersOf<P extends Page>(pages: readonly P[]): ReadonlyMap<string, P> {
  const byLetter = new Map(pages.flatMap((page) => (page.letter ? [[page.letter, page] as const] : [])))
  for (const page of pages) {
    if (page.letter) continue
    const letter = [...page.title.toLowerCase()].find(
      (candidate) => /[a-z]/.test(candidate) && !byLetter.has(candidate)
    )
    if (letter) byLetter.set(letter, page)
  }
  return byLetter
}
