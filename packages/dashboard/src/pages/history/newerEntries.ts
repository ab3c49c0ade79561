interface Identified {
  readonly _id: string
}

/** The entries above the first one that is shown. Both lists have the newest entry first. */
export function newerEntries<Entry extends Identified>(
  entries: readonly Entry[],
  shown: readonly Entry[]
): readonly Entry[] {
  const known = new Set(shown.map(({ _id }) => _id))
  const end = entries.findIndex(({ _id }) => known.has(_id))
  return end === -1 ? entries : entries.slice(0, end)
}
