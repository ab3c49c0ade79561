/** Returns the ratio of two durations: the median over the rounds. */
export function ratio(above, below) {
  return median(above.map((time, round) => time / below[round]))
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}
