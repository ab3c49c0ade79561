import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { isRecord, type TimeSlices, timeSlices } from '@burgee/kit'
import { endOfSpace, endOfValue } from '../lib/jsonText.ts'

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

  /** @throws {SyntaxError} if the text is not JSON. */
  async read(text: string): Promise<unknown> {
    // The first access to a text that was joined from pieces copies it, which has a turn of its own.
    await setImmediate()
    const reading = new Reading(text, this.#known, timeSlices(setImmediate, this.#sliceMs))
    try {
      const document = await reading.read()
      this.#known = reading.items
      // The use of the document has one too.
      await setImmediate()
      return document
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      // Not an object that can be divided, or not JSON: the message should be about the whole text.
      return JSON.parse(text)
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
  readonly #text: string
  readonly #known: KnownItems
  readonly #slices: TimeSlices
  #index = 0

  constructor(text: string, known: KnownItems, slices: TimeSlices) {
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
    const names = new Set<string>()
    let rest = ''
    let copied = 0
    this.#skipSpace(0)
    await this.#slices.yieldIfDue()
    this.#expect('{')
    do {
      const name = this.#take(this.#index + 1)
      if (names.has(name) || name.includes('\\')) throw new SyntaxError(`a member is not divided: ${name}`)
      names.add(name)
      this.#expect(':')
      this.#skipSpace(this.#index + 1)
      if (DIVIDED.has(name) && this.#character === '[') {
        rest += this.#text.slice(copied, this.#index + 1)
        lists.set(JSON.parse(name), await this.#readItems())
        copied = this.#index
        this.#skipSpace(copied + 1)
      } else this.#take(this.#index)
    } while (this.#character === ',')
    const document = JSON.parse(rest + this.#text.slice(copied))
    for (const [name, list] of lists) document[name] = list
    return document
  }

  /** Reads the items of the list that begins here. Ends at its last bracket. */
  async #readItems(): Promise<unknown[]> {
    const list: unknown[] = []
    this.#skipSpace(this.#index + 1)
    if (this.#character === ']') return list
    // Continues at the bracket or the comma before the next item.
    this.#index--
    do {
      list.push(this.#parseItem(this.#take(this.#index + 1)))
      await this.#slices.yieldIfDue()
    } while (this.#character === ',')
    this.#expect(']')
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

  /** Returns the text of the value after `start`, and continues at the next character after it that is not space. */
  #take(start: number): string {
    this.#skipSpace(start)
    const [first, end] = [this.#index, endOfValue(this.#text, this.#index)]
    this.#skipSpace(end)
    return this.#text.slice(first, end)
  }

  #skipSpace(start: number): void {
    this.#index = endOfSpace(this.#text, start)
  }

  get #character(): string | undefined {
    return this.#text[this.#index]
  }

  #expect(character: string): void {
    if (this.#character !== character) throw new SyntaxError(`"${character}" is missing at ${this.#index}`)
  }
}

/** The names of the members that have an item for each flag, as they are written. */
const DIVIDED: ReadonlySet<string> = new Set(['"features"', '"variables"'])
