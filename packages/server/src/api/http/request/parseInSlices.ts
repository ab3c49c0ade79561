import { randomUUID } from 'node:crypto'
import type { TimeSlices } from '@burgee/kit'
import { searchEndOfString } from '@burgee/kit/text'
import { createTimeSlices } from '../../../lib/time.ts'

/**
 * Parses JSON text as `JSON.parse` does, in slices, between which the event loop serves other requests: objects whose
 * members all differ take `JSON.parse` up to a second per 2 MiB.
 * @param assertWithinLimits Called with the size of the text so far; what it throws ends the work. No part of the text is
 *   parsed before all of it was measured, which takes a small share of the time.
 * @throws {SyntaxError} if the text is not JSON.
 */
export async function parseInSlices(text: string, assertWithinLimits: (size: JsonTextSize) => void): Promise<unknown> {
  const slices = createTimeSlices()
  const parts = await divide(text, slices, assertWithinLimits)
  const document = new DividedDocument(text)
  let start = 0
  for (const part of parts) {
    document.add(part)
    start = part.end + 1
    await slices.yieldIfDue()
  }
  return document.finish(start)
}

/** Measures JSON text, and divides it at commas. Returns all parts but the last. */
async function divide(
  text: string,
  slices: TimeSlices,
  assertWithinLimits: (size: JsonTextSize) => void
): Promise<readonly Part[]> {
  const size: JsonTextSize = { values: 1, containers: 0, depth: 0, members: 0, longest: 0 }
  const parts: Part[] = []
  /** The containers that are open at `index`, the outermost first. */
  const open: OpenContainer[] = []
  let start = 0
  /** The lowest number of open containers since `start`. */
  let lowest = 0
  let name = { start: 0, end: 0 }
  let pause = PART_LENGTH
  for (let index = 0; index < text.length; index++) {
    if (index >= pause) {
      pause = index + PART_LENGTH
      await slices.yieldIfDue()
    }
    switch (text.charCodeAt(index)) {
      case QUOTE: {
        let end = searchEndOfString(text, index + 1, index + PART_LENGTH)
        for (let read = index + PART_LENGTH; end === undefined; read += PART_LENGTH) {
          size.longest = Math.max(size.longest, read - index)
          assertWithinLimits(size)
          await slices.yieldIfDue()
          end = searchEndOfString(text, read, read + PART_LENGTH)
        }
        name = { start: index, end }
        index = end - 1
        break
      }
      case OPENING_BRACE:
      case OPENING_BRACKET:
        size.containers++
        open.push({ isList: text.charCodeAt(index) === OPENING_BRACKET, name, members: 0 })
        if (open.length > size.depth) {
          size.depth = open.length
          assertWithinLimits(size)
        }
        break
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        open.pop()
        lowest = Math.min(lowest, open.length)
        break
      case COLON:
        countMember(open.at(-1), size)
        break
      case COMMA:
        size.values++
        if (index - start < PART_LENGTH || open.length === 0) break
        assertWithinLimits(size)
        parts.push({ start, end: index, open: [...open], stillOpen: lowest })
        start = index + 1
        lowest = open.length
    }
  }
  assertWithinLimits(size)
  return parts
}

/** The size of JSON text. */
interface JsonTextSize {
  values: number
  /** The number of objects and lists. */
  containers: number
  /** The depth to which they are nested. */
  depth: number
  /** The number of members of the object with the most. */
  members: number
  /** The length of the longest string, in multiples of `PART_LENGTH`. */
  longest: number
}

/** Parsing a part takes about 20 milliseconds at worst. */
const PART_LENGTH = 32 * 1024

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

function countMember(object: OpenContainer | undefined, size: JsonTextSize): void {
  if (object) size.members = Math.max(size.members, ++object.members)
}

const ORDINARY = { writable: true, enumerable: true, configurable: true }

/** A list or an object of the text whose end has not been reached. */
interface OpenContainer {
  readonly isList: boolean
  /** Where the last string before it is: its name, if it is a member of an object. */
  readonly name: { readonly start: number; readonly end: number }
  /** The number of members so far, if it is an object. */
  members: number
}

interface Part {
  readonly start: number
  /** The index of the comma that follows. */
  readonly end: number
  /** The containers that are open at the end. */
  readonly open: readonly OpenContainer[]
  /** How many of the containers that are open at the start stay so to the end. */
  readonly stillOpen: number
}

type JsonContainer = unknown[] | Record<string, unknown>

/**
 * A JSON document that is parsed part by part. Each part is made a document of its own: it opens the containers that
 * are open at its start, and closes those that are open at its end. A filler replaces the value on the other
 * side of the comma between two parts, so that superfluous commas stay errors.
 */
class DividedDocument {
  readonly #text: string
  /**
   * Name of the filler at the start of a part, or of the nested container that the part continues. Random, so that no
   * text contains it.
   */
  readonly #startName = randomUUID()
  /** Name of the filler at the end of a part. */
  readonly #endName = randomUUID()
  #root: unknown
  /** The containers that were open at the end of the last part, the outermost first. */
  #containers: JsonContainer[] = []

  constructor(text: string) {
    this.#text = text
  }

  add({ start, end, open, stillOpen }: Part): void {
    this.#append(start, end, this.#ending(open))
    const containers = this.#containers.slice(0, stillOpen)
    for (const { name } of open.slice(containers.length)) {
      const parent = containers.at(-1)
      const child = parent === undefined ? this.#root : this.#lastChild(parent, name)
      // The part was valid, so the last child of an open container is the open container inside.
      containers.push(child as JsonContainer)
    }
    const innermost = containers.at(-1)
    if (Array.isArray(innermost)) innermost.pop()
    else if (innermost) delete innermost[this.#endName]
    this.#containers = containers
  }

  /** Adds the last part, and returns the whole document. */
  finish(start: number): unknown {
    this.#append(start, this.#text.length, '')
    return this.#root
  }

  #append(start: number, end: number, ending: string): void {
    const isWhole = start === 0 && end === this.#text.length
    let part: unknown
    try {
      part = JSON.parse(this.#beginning() + this.#text.slice(start, end) + ending)
    } catch (cause) {
      // The position in the message of the parser is one in the part.
      throw isWhole ? cause : new SyntaxError(`malformed between the characters ${start} and ${end}`, { cause })
    }
    if (this.#containers.length === 0) this.#root = part
    for (const container of this.#containers) {
      if (Array.isArray(container)) part = appendItems(container, part as unknown[])
      else part = this.#appendMembers(container, part as Record<string, unknown>)
    }
  }

  #beginning(): string {
    const member = `{"${this.#startName}":`
    const openings = this.#containers.map((container) => (Array.isArray(container) ? '[' : member))
    return openings.length === 0 ? '' : `${openings.join('')}0,`
  }

  #ending(open: readonly OpenContainer[]): string {
    const filler = open.at(-1)?.isList ? ',0' : `,"${this.#endName}":0`
    const closings = open.map(({ isList }) => (isList ? ']' : '}'))
    return filler + closings.reverse().join('')
  }

  #lastChild(parent: JsonContainer, { start, end }: OpenContainer['name']): unknown {
    return Array.isArray(parent) ? parent.at(-1) : parent[JSON.parse(this.#text.slice(start, end)) as string]
  }

  /** Adds the members of a part. Returns its part of the nested container that it continues, if any. */
  #appendMembers(container: Record<string, unknown>, part: Record<string, unknown>): unknown {
    for (const name in part) {
      if (name === this.#startName) continue
      // An assignment to `__proto__` would not add a member. Definitions take several times as long.
      if (name !== '__proto__') container[name] = part[name]
      else Object.defineProperty(container, name, { value: part[name], ...ORDINARY })
    }
    return part[this.#startName]
  }
}

/** Adds the items of a part. Returns its part of the nested container that it continues, if any: the first item. */
function appendItems(container: unknown[], part: readonly unknown[]): unknown {
  for (let index = 1; index < part.length; index++) container.push(part[index])
  return part[0]
}
