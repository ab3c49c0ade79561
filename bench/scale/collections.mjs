import { renameSync, writeFileSync } from 'node:fs'
import { PerformanceObserver } from 'node:perf_hooks'

// Preloaded into the server (`node --import`). Each SIGUSR2 writes the milliseconds of the garbage collections since the
// previous one to a file.

let durations = []
const add = (entries) => durations.push(...entries.map(({ duration }) => duration))
const observer = new PerformanceObserver((list) => add(list.getEntries()))
observer.observe({ entryTypes: ['gc'] })

process.on('SIGUSR2', () => {
  add(observer.takeRecords())
  const file = process.env.BENCH_COLLECTIONS
  writeFileSync(`${file}.new`, JSON.stringify(durations))
  renameSync(`${file}.new`, file)
  durations = []
})
