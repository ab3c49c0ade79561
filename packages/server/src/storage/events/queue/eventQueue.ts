import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { serialize } from '@burgee/kit'
import { syncDirectory } from '@burgee/kit/files'
import { reasonOf } from '../../../lib/reasonOf.ts'
import { type AppendLog, openAppendLog, PROBE_BYTES } from '../../disk/appendLog.ts'
import { createWriteHealth } from '../engine/writeHealth.ts'
import type { EventEntry } from '../eventEntry.ts'
import { EventsUnavailableError } from '../eventStore.ts'
import { formatEntryLine } from '../files/entryLine.ts'

/**
 * Events on their way to another server, in files of a directory: a segment contains entries of one environment in their
 * order, and is removed as a whole when the other server has it.
 */
export interface EventQueue {
  /**
   * Resolves when the entry is durable. An entry without a payload id gets one, so that repetitions are recognized.
   * @throws {EventsUnavailableError} when it is not; nothing is kept.
   */
  append(entry: EventEntry): Promise<void>
  /** Returns the oldest segment of an environment. No entry is added to it any more. */
  next(environment: string): Promise<Segment | undefined>
  /** Removes a segment that was forwarded. */
  remove(segment: Segment): Promise<void>
  /** Keeps a segment that the other server refuses, under a name that is not read again. Returns its path. */
  setAside(segment: Segment): Promise<string>
  /** The environments with entries. */
  environments(): readonly string[]
  /** The size of all entries that were not forwarded yet. */
  bytes(): number
  /** Whether the last append succeeded, or appends would succeed again, and the queue is not full. */
  isWritable(): boolean
  close(): Promise<void>
}

/** A part of the queue. */
export interface Segment {
  readonly environment: string
  readonly path: string
  readonly bytes: number
  /** The entries as lines of JSON. */
  readonly lines: () => Promise<readonly string[]>
}

interface OpenSegment extends Omit<Segment, 'bytes'> {
  readonly log: AppendLog
  bytes: number
}

/** Opens the queue of a directory, which is created if it is missing. One process at a time may have it open. */
export async function openEventQueue(
  directory: string,
  { maxBytes }: { readonly maxBytes: number }
): Promise<EventQueue> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  /** By environment, the oldest first. */
  const closed = new Map<string, Segment[]>()
  const active = new Map<string, Promise<OpenSegment>>()
  const inTurn = serialize()
  let bytes = 0
  let sequence = 0
  const health = createWriteHealth(() => probeDirectory(directory))

  for (const name of (await readdir(directory)).sort()) {
    const [, number, environment] = SEGMENT_NAME.exec(name) ?? []
    if (number === undefined || environment === undefined) continue
    sequence = Math.max(sequence, Number(number))
    const path = join(directory, name)
    const { size } = await stat(path)
    addClosed({ environment, path, bytes: size, lines: () => readCompleteLines(path) })
    bytes += size
  }

  // Reports a full disk at the start instead of at the first event.
  await probeDirectory(directory).catch(health.noteFailure)

  function addClosed(segment: Segment): void {
    closed.set(segment.environment, [...(closed.get(segment.environment) ?? []), segment])
  }

  async function openSegment(environment: string): Promise<OpenSegment> {
    const number = String(++sequence).padStart(SEQUENCE_DIGITS, '0')
    const path = join(directory, `${number}-${environment}.jsonl`)
    return { environment, path, bytes: 0, log: await openAppendLog(path), lines: () => readCompleteLines(path) }
  }

  /** Ends the segment that entries are added to, after appends in progress and earlier segments. */
  function rotate(environment: string): Promise<void> {
    const opening = active.get(environment)
    active.delete(environment)
    return inTurn(async () => {
      const segment = await opening?.catch(() => undefined)
      if (!segment) return
      await segment.log.close()
      if (segment.bytes > 0) addClosed({ ...segment })
      else await rm(segment.path, { force: true })
    })
  }

  async function drop(segment: Segment): Promise<void> {
    closed.set(
      segment.environment,
      (closed.get(segment.environment) ?? []).filter((other) => other !== segment)
    )
    bytes -= segment.bytes
    await syncDirectory(directory)
  }

  return {
    append: async (entry) => {
      const line = formatEntryLine({ ...entry, payloadId: entry.payloadId ?? randomUUID() })
      const size = Buffer.byteLength(line) + 1
      if (bytes + size > maxBytes) throw new EventsUnavailableError(`the queue of events has reached ${maxBytes} bytes`)
      bytes += size
      try {
        const { environment } = entry
        const opening = active.get(environment) ?? openSegment(environment)
        active.set(environment, opening)
        const segment = await opening
        segment.bytes += size
        const appending = segment.log.append(line)
        if (segment.bytes >= MAX_SEGMENT_BYTES && active.get(environment) === opening) {
          void rotate(environment).catch(() => {})
        }
        await appending.catch((error) => {
          segment.bytes -= size
          throw error
        })
        health.noteSuccess()
      } catch (cause) {
        bytes -= size
        health.noteFailure()
        // The segment is kept: it contains entries that were acknowledged.
        void rotate(entry.environment).catch(() => {})
        throw new EventsUnavailableError(`the events could not be written: ${reasonOf(cause)}`, { cause })
      }
    },
    next: async (environment) => {
      if (!closed.get(environment)?.length) await rotate(environment)
      return closed.get(environment)?.[0]
    },
    remove: async (segment) => {
      await rm(segment.path, { force: true })
      await drop(segment)
    },
    setAside: async (segment) => {
      const path = `${segment.path}.refused`
      await rename(segment.path, path)
      await drop(segment)
      return path
    },
    environments: () => [...new Set([...closed.keys(), ...active.keys()])],
    bytes: () => bytes,
    isWritable: () => health.isSound() && bytes < maxBytes,
    close: async () => {
      await health.close()
      for (const environment of [...active.keys()]) await rotate(environment)
    }
  }
}

/** A segment is forwarded as a whole, so this bounds what a crash repeats. */
const MAX_SEGMENT_BYTES = 1024 * 1024

const SEQUENCE_DIGITS = 12

const SEGMENT_NAME = /^(\d{12})-([\w-]+)\.jsonl$/

/** Writes a file of `PROBE_BYTES`, and removes it. */
async function probeDirectory(directory: string): Promise<void> {
  const path = join(directory, 'probe')
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(' '.repeat(PROBE_BYTES))
    await file.sync()
  } finally {
    await file.close()
    await rm(path, { force: true })
  }
}

/** Reads the lines of a file. An incomplete last line, which a crash left, was never acknowledged. */
async function readCompleteLines(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8')
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
}
