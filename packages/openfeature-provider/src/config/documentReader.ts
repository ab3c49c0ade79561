import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { isRecord, type TimeSlices, timeSlices } from '@burgee/kit'
import { JsonScanner } from '../lib/jsonText.ts'

/**
 * Parses the successive texts of a config as `JSON.parse` does, in slices, between which the event loop serves others. A
 * feature or variable whose text is the same as before is the same object as before: it is not parsed again, and later
 * comparisons end at once. One that is deeply equal to that with its id, such as with other spaces, is the former object
 * too. The last text stays in memory for that.
 */
export class DocumentReader {
  #known: KnownItems = new KnownItems()
  readonly #sliceMs: number

  constructor(sliceMs = SLICE_MS) {
    this.#sliceMs = sliceMs
  }

  /**
   * Reads the pieces of a text.
   * @throws {SyntaxError} if it is not JSON.
   */
  async read(pieces: readonly string[]): Promise<unknown> {
    const reading = new Reading(new JsonScanner(pieces), this.#known, timeSlices(setImmediate, this.#sliceMs))
    try {
      const document = await reading.read()
      this.#known = reading.items
      // The use of the document has a turn of its own.
      await setImmediate()
      return document
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      // Not an object that can be divided, or not JSON: the message should be about the whole text.
      return JSON.parse(pieces.join(''))
    }
  }
}

/** Short, because a slice can include a garbage collection of several milliseconds. */
const SLICE_MS = 2

/** The features and variables of a document. */
class KnownItems {
  readonly byText = new Map<string, unknown>()
  readonly byId = new Map<unknown, unknown>()
}

/** One pass over the text of a document. */
class Reading {
  /** The items of the divided lists. */
  readonly items = new KnownItems()
  readonly #text: JsonScanner
  readonly #known: KnownItems
  readonly #slices: TimeSlices

  constructor(text: JsonScanner, known: KnownItems, slices: TimeSlices) {
    this.#text = text
    this.#known = known
    this.#slices = slices
  }

  /**
   * Reads the lists item by item, and all other members at once.
   * @throws {SyntaxError} if the text is no JSON object, or may have several members of one name.
   */
  async read(): Promise<unknown> {
    const lists = new Map<string, unknown[]>()
    const members = new Map<string, string>()
    this.#text.skip('{')
    do {
      const name = this.#text.take()
      if (members.has(name) || name.includes('\\')) throw new SyntaxError(`a member is not divided: ${name}`)
      this.#text.skip(':')
      if (DIVIDED.has(name) && this.#text.next === '[') {
        members.set(name, '[]')
        lists.set(JSON.parse(name), await this.#readItems())
      } else members.set(name, this.#text.take())
    } while (this.#text.skipIf(','))
    this.#text.skip('}')
    if (this.#text.next !== '') throw new SyntaxError('there is text after the object')
    const document = JSON.parse(`{${[...members].map((member) => member.join(':')).join(',')}}`)
    for (const [name, list] of lists) document[name] = list
    return document
  }

  /** Reads the items of the list that begins here. */
  async #readItems(): Promise<unknown[]> {
    const list: unknown[] = []
    this.#text.skip('[')
    if (this.#text.skipIf(']')) return list
    do {
      list.push(this.#parseItem(this.#text.take()))
      await this.#slices.yieldIfDue()
    } while (this.#text.skipIf(','))
    this.#text.skip(']')
    return list
  }

  #parseItem(text: string): unknown {
    const { byText } = this.#known
    const item = byText.has(text) ? byText.get(text) : this.#reuseIfEqual(JSON.parse(text))
    this.items.byText.set(text, item)
    if (isRecord(item) && item._id !== undefined) this.items.byId.set(item._id, item)
    return item
  }

  /** Returns the former item with the same id if both are deeply equal. */
  #reuseIfEqual(item: unknown): unknown {
    const former = isRecord(item) ? this.#known.byId.get(item._id) : undefined
    return former !== undefined && isDeepStrictEqual(former, item) ? former : item
  }
}

/** The names of the members that have an item for each flag, as they are written. */
const DIVIDED: ReadonlySet<string> = new Set(['"features"', '"variables"'])
