/** Returns a function that writes the progress of a long command, at most once in two seconds. */
export function formatProgress(notice: (line: string) => void, unit = 'bytes'): (count: number) => void {
  let last = Date.now()
  return (count) => {
    if (Date.now() - last < INTERVAL_MS) return
    last = Date.now()
    notice(`${count} ${unit} so far`)
  }
}

const INTERVAL_MS = 2_000
