// Loaded before the server with `node --import`: for each SIGUSR2, collects garbage and appends a line with the memory
// in use to a file.
import { appendFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

process.on('SIGUSR2', () => {
  collectGarbage()
  const { heapUsed, heapTotal, external, rss } = process.memoryUsage()
  appendFileSync(process.env.CHAOS_MEMORY_FILE, `${JSON.stringify({ heapUsed, heapTotal, external, rss })}\n`)
})
