/** Returns the median over the rounds of the ratio of two durations. */
export function ratio(durations, baseline) {
  return median(durations.map((time, round) => time / baseline[round]))
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}
