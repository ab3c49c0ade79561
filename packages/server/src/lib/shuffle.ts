/** Returns the items in random order (Fisher–Yates). */
export function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const result = [...items]
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const [one, two] = [result[last], result[other]]
    if (one === undefined || two === undefined) continue
    result[last] = two
    result[other] = one
  }
  return result
}
