/**
 * A row for each user and variation, in columns of plain numbers: there can be millions of them, and as objects they would
 * take several times the memory. The rows of a user hang together, from the first one on.
 */
export class UserVariationTable {
  #size = 0
  #places = new Uint16Array(CAPACITY)
  #flags = new Uint8Array(CAPACITY)
  #nexts = new Int32Array(CAPACITY)
  #latests = new Int32Array(CAPACITY)
  #counts = new Float64Array(CAPACITY)
  #means = new Float64Array(CAPACITY)
  #squares = new Float64Array(CAPACITY)

  get size(): number {
    return this.#size
  }

  /** A row of somebody new. */
  add(variationIndex: number): number {
    const row = this.#size
    if (row === this.#places.length) this.#grow()
    this.#places[row] = variationIndex
    this.#nexts[row] = NO_ROW
    this.#latests[row] = NO_ROW
    this.#size++
    return row
  }

  /** One more row for the user whose first row is this. */
  addTo(first: number, place: number): number {
    const row = this.add(place)
    this.#nexts[row] = read(this.#nexts, first)
    this.#nexts[first] = row
    return row
  }

  /** The user's row with this variation. */
  find(first: number, place: number): number | undefined {
    for (let row = first; row !== NO_ROW; row = read(this.#nexts, row)) if (this.#places[row] === place) return row
    return undefined
  }

  /** Has a row of the user count for another variation, together with the row that there may be of it. */
  reassign(first: number, row: number, place: number): void {
    const other = this.find(first, place)
    if (other === undefined) {
      this.#places[row] = place
      return
    }
    this.#addValues(other, this.count(row), this.mean(row), this.sumOfSquares(row))
    this.#places[row] = MERGED
    this.#counts[row] = 0
  }

  place(row: number): number {
    return read(this.#places, row)
  }

  /** Says that it is known that the user got the variation. */
  markExposed(row: number): void {
    this.#flags[row] = EXPOSED
  }

  isExposed(row: number): boolean {
    return this.#flags[row] === EXPOSED
  }

  /** Says that the word of the user's events is enough, because they are known to have got some variation. */
  markReported(row: number): void {
    this.#flags[row] ||= REPORTED
  }

  /** The same of all rows of the user whose first row is this. */
  markAllReported(first: number): void {
    for (let row = first; row !== NO_ROW; row = read(this.#nexts, row)) this.markReported(row)
  }

  /** Whether the user is known to have got the variation, or to have had it by the word of their events. */
  isAttributable(row: number): boolean {
    return this.#flags[row] !== 0
  }

  /** Says of the user whose first row is this which of their rows has the variation that they got last. */
  setLatest(first: number, row: number): void {
    this.#latests[first] = row
  }

  latest(first: number): number {
    return read(this.#latests, first)
  }

  addValue(row: number, value: number): void {
    this.#addValues(row, 1, value, 0)
  }

  /** How many events there were. */
  count(row: number): number {
    return read(this.#counts, row)
  }

  mean(row: number): number {
    return read(this.#means, row)
  }

  /** The sum of the squares of how far the values are from their mean. */
  sumOfSquares(row: number): number {
    return read(this.#squares, row)
  }

  /** Welford's method, for several values at once (Chan, Golub and LeVeque 1979): no figure suffers from large values. */
  #addValues(row: number, count: number, mean: number, squares: number): void {
    const [before, after] = [this.count(row), this.count(row) + count]
    const distance = mean - this.mean(row)
    this.#counts[row] = after
    this.#means[row] = this.mean(row) + (distance * count) / after
    this.#squares[row] = this.sumOfSquares(row) + squares + (distance * distance * before * count) / after
  }

  #grow(): void {
    const capacity = 2 * this.#places.length
    this.#places = copied(this.#places, new Uint16Array(capacity))
    this.#flags = copied(this.#flags, new Uint8Array(capacity))
    this.#nexts = copied(this.#nexts, new Int32Array(capacity))
    this.#latests = copied(this.#latests, new Int32Array(capacity))
    this.#counts = copied(this.#counts, new Float64Array(capacity))
    this.#means = copied(this.#means, new Float64Array(capacity))
    this.#squares = copied(this.#squares, new Float64Array(capacity))
  }
}

/** Stands for no row. */
export const NO_ROW = -1

/** How many rows there is room for at first. */
const CAPACITY = 1024

const EXPOSED = 1
const REPORTED = 2

/** The place of a row that has gone into another one; no feature has so many variations. */
const MERGED = 0xffff

function read(column: Uint8Array | Uint16Array | Int32Array | Float64Array, row: number): number {
  return column[row] ?? 0
}

function copied<Column extends { set: (from: Column) => void }>(from: Column, to: Column): Column {
  to.set(from)
  return to
}
