import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '@burgee/testing/harness'
import { seededRandom } from '@burgee/testing/seededRandom'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { beforeAll, expect, test } from 'vitest'
import { expectBuilt } from '../support/processes/executable.ts'
import { chaosSeed, minutesOr, stores } from './support/chaosOptions.ts'
import { createStore, prepareNodes } from './support/nodes.ts'
import { startReader } from './support/reader.ts'
import type { ServerProcess } from './support/serverProcess.ts'
import { openStreamClient } from './support/streamClient.ts'
import { verifyRecent, verifyTotals } from './support/verify.ts'
import { createWriters, type Writers } from './support/writers.ts'

const MINUTES = 30

/** The number of samples, evenly over the duration. */
const SAMPLES = 9

const STREAMS = 20

/** How often one of the streams is closed by its client: each one every five seconds. */
const HANG_UP_MS = 5_000 / STREAMS

/** The pauses of four readers and eleven writers: about 80 evaluations and 8 writes a second. */
const READERS = 4
const READ_PAUSE_MS = 50
const WRITE_PAUSE_MS = 1_200

/** The requests for latency, before each sample. */
const TIMED_REQUESTS = 101

/** What a write leaves in memory, at most: a change request is the largest. */
const MAX_BYTES_PER_WRITE = 3_000

/** The limit for the heap, as a multiple of the heap after a restart with the same store. A larger heap is a leak. */
const MAX_RATIO_TO_RESTARTED = 1.25

interface Sample {
  /** Acknowledged writes until now. */
  readonly writes: number
  /** After a garbage collection, in bytes. */
  readonly heapUsed: number
  /** What Node.js holds for the heap, also for garbage that it has not collected yet. */
  readonly heapTotal: number
  /** Buffers and others outside the heap. */
  readonly external: number
  readonly rss: number
  readonly descriptors: number
  readonly medianMs: number
}

const random = seededRandom(chaosSeed)

beforeAll(expectBuilt)

test.each(stores)(
  'a server with a store of kind %s keeps its memory, descriptors and writes under a steady load',
  { timeout: 24 * 3_600_000 },
  async (kind) => {
    const memoryFile = join(await temporaryDirectory(), 'memory.jsonl')
    await writeFile(memoryFile, '')
    const preload = new URL('support/memoryReporter.mjs', import.meta.url).href
    const environment = { CHAOS_MEMORY_FILE: memoryFile, NODE_OPTIONS: `--import ${preload}` }
    const nodes = await prepareNodes(await createStore(kind))
    const intervalMs = (minutesOr(MINUTES) * 60_000) / SAMPLES
    const server = await nodes.start({ port: nodes.port, environment })
    const writers = await createWriters(server)
    const load = startLoad(server, writers)
    const samples: Sample[] = []
    for (let index = 0; index < SAMPLES; index++) {
      await sleep(intervalMs)
      const sample = await takeSample(server, memoryFile, writers.count())
      samples.push(sample)
      print(`${kind}: after ${((intervalMs * (index + 1)) / 60_000).toFixed(1)} minutes`, sample)
    }
    const evaluations = await load.stop()
    console.log(`soak, ${kind}: ${evaluations} evaluations, none wrong`)
    await verifyRecent(server, writers)
    await verifyTotals(server, writers)

    await server.end('SIGTERM')
    const restarted = await nodes.start({ port: nodes.port, environment })
    const loadAgain = startLoad(restarted, writers)
    await sleep(intervalMs)
    const fresh = await takeSample(restarted, memoryFile, writers.count())
    await loadAgain.stop()
    print(`${kind}: ${(intervalMs / 60_000).toFixed(1)} minutes after a restart with the same store`, fresh)
    // The first third fills caches. A store in a directory has what is written in memory, too.
    const [warm, last] = [samples[SAMPLES / 3 - 1], samples.at(-1)] as [Sample, Sample]
    const perWrite = (last.heapUsed - warm.heapUsed) / (last.writes - warm.writes)
    console.log(`soak, ${kind}: the heap grew by ${Math.round(perWrite)} bytes for each write after the first third`)
    // Shorter runs end while caches still fill.
    if (minutesOr(MINUTES) >= MINUTES) {
      expect(perWrite).toBeLessThan(MAX_BYTES_PER_WRITE)
      expect(last.heapUsed / fresh.heapUsed).toBeLessThan(MAX_RATIO_TO_RESTARTED)
    }
    expect(last.descriptors).toBeLessThan(warm.descriptors + STREAMS)
  }
)

/** Starts streams, readers and writers; `stop` resolves with the number of evaluations, of which none was wrong. */
function startLoad(server: ServerProcess, writers: Writers): { readonly stop: () => Promise<number> } {
  const clients = Array.from({ length: STREAMS }, () => openStreamClient(server.port, random))
  let hungUp = 0
  const hangingUp = setInterval(() => clients[hungUp++ % STREAMS]?.hangUp(), HANG_UP_MS)
  const readers = Array.from({ length: READERS }, () => startReader(server, READ_PAUSE_MS))
  const writing = writers.write([server], WRITE_PAUSE_MS)
  const stop = async () => {
    await writing.stop()
    clearInterval(hangingUp)
    let evaluations = 0
    for (const reader of readers) {
      const result = await reader.stop()
      expect(result.wrong).toEqual([])
      evaluations += result.evaluations
    }
    for (const { close } of clients) close()
    return evaluations
  }
  return { stop }
}

async function takeSample(server: ServerProcess, memoryFile: string, writes: number): Promise<Sample> {
  const times: number[] = []
  for (let index = 0; index < TIMED_REQUESTS; index++) {
    const begin = performance.now()
    const input = { params: { key: 'plain' }, body: { user_id: `user-${index}` } }
    expect((await call(server, 'evaluateVariable', input)).status).toBe(200)
    times.push(performance.now() - begin)
  }
  times.sort((one, other) => one - other)
  const lines = async () => (await readFile(memoryFile, 'utf8')).trim().split('\n').filter(Boolean)
  const before = (await lines()).length
  server.signal('SIGUSR2')
  await expect.poll(async () => (await lines()).length, { timeout: 10_000 }).toBe(before + 1)
  const memory = JSON.parse((await lines()).at(-1) ?? '')
  const descriptors = (await readdir(`/proc/${server.pid}/fd`)).length
  return { ...memory, writes, descriptors, medianMs: times[(TIMED_REQUESTS - 1) / 2] ?? 0 }
}

function print(what: string, { writes, heapUsed, heapTotal, external, rss, descriptors, medianMs }: Sample): void {
  console.log(
    `soak, ${what}: ${writes} acknowledged writes, heap ${megabytes(heapUsed)} of ${megabytes(heapTotal)} MB, external ${megabytes(external)} MB, resident ${megabytes(rss)} MB, ${descriptors} descriptors, median latency ${medianMs.toFixed(1)} ms`
  )
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1)
}
