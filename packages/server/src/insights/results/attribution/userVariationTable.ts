/**
 * A table with a row for each user and variation. Columns are typed arrays, because there can be millions of rows, and
 * objects would take several times the memory. The rows of one user form a linked list that starts at their first row.
 */
export class UserVariationTable {
  #size = 0
  #variations = new Uint16Array(CAPACITY)
  #flags = new Uint8Array(CAPACITY)
  #nexts = new Int32Array(CAPACITY)
  #latests = new Int32Array(CAPACITY)
  #counts = new Float64Array(CAPACITY)
  #means = new Float64Array(CAPACITY)
  #squares = new Float64Array(CAPACITY)
  #evaluations = new Float64Array(CAPACITY)

  get size(): number {
    return this.#size
  }

  /** Returns the bytes of the columns, which `restore` takes. They change with the table. */
  columns(): readonly Uint8Array[] {
    return this.#columns().map(({ buffer, BYTES_PER_ELEMENT }) => {
      return new Uint8Array(buffer as ArrayBuffer, 0, this.#size * BYTES_PER_ELEMENT)
    })
  }

  /** Creates a table of a number of rows from their columns; returns `undefined` if these have another size. */
  static restore(size: number, columns: readonly Uint8Array[]): UserVariationTable | undefined {
    const table = new UserVariationTable()
    while (table.#variations.length < size) table.#grow()
    table.#size = size
    const targets = table.#columns()
    const fits = targets.every(({ BYTES_PER_ELEMENT }, index) => columns[index]?.length === size * BYTES_PER_ELEMENT)
    if (!fits || columns.length !== targets.length) return undefined
    for (const [index, { buffer }] of targets.entries()) new Uint8Array(buffer as ArrayBuffer).set(columns[index] ?? [])
    return table
  }

  /** Adds the first row of a user, and returns it. */
  add(variation: number): number {
    const row = this.#size
    if (row === this.#variations.length) this.#grow()
    this.#variations[row] = variation
    this.#nexts[row] = NO_ROW
    this.#latests[row] = NO_ROW
    this.#size++
    return row
  }

  /** Adds a row to the user whose first row is `first`, and returns it. */
  addTo(first: number, variation: number): number {
    const row = this.add(variation)
    this.#nexts[row] = read(this.#nexts, first)
    this.#nexts[first] = row
    return row
  }

  /** Finds the row of a variation among those of the user whose first row is `first`. */
  find(first: number, variation: number): number | undefined {
    for (let row = first; row !== NO_ROW; row = read(this.#nexts, row)) {
      if (this.#variations[row] === variation) return row
    }
    return undefined
  }

  /** Moves the values of a row to another variation; they are merged into its row if the user has one. */
  reassign(first: number, row: number, variation: number): void {
    const other = this.find(first, variation)
    if (other === undefined) {
      this.#variations[row] = variation
      return
    }
    this.#addValues(other, this.count(row), this.mean(row), this.sumOfSquares(row))
    this.addEvaluations(other, this.evaluations(row))
    this.#variations[row] = MERGED
    this.#counts[row] = 0
  }

  /** The index of the row's variation. */
  variation(row: number): number {
    return read(this.#variations, row)
  }

  /** Records that the user got the variation. */
  markExposed(row: number): void {
    this.#flags[row] = EXPOSED
  }

  isExposed(row: number): boolean {
    return this.#flags[row] === EXPOSED
  }

  /** The number of variations below this index that the user whose first row is `first` got. */
  countExposed(first: number, variations: number): number {
    let count = 0
    for (let row = first; row !== NO_ROW; row = read(this.#nexts, row)) {
      if (this.isExposed(row) && this.variation(row) < variations) count++
    }
    return count
  }

  /** Adds evaluations that are known to be the user's. */
  addEvaluations(row: number, count: number): void {
    this.#evaluations[row] = this.evaluations(row) + count
  }

  /** The number of evaluations that are known to be the user's. */
  evaluations(row: number): number {
    return read(this.#evaluations, row)
  }

  /** Records that events name the variation, and that their user is known to have got some variation. */
  markReported(row: number): void {
    this.#flags[row] ||= REPORTED
  }

  /** Marks all rows of the user whose first row is `first` as reported. */
  markAllReported(first: number): void {
    for (let row = first; row !== NO_ROW; row = read(this.#nexts, row)) this.markReported(row)
  }

  /** Whether the row is marked as exposed or reported. */
  isAttributable(row: number): boolean {
    return this.#flags[row] !== 0
  }

  /** Records which row has the variation that the user whose first row is `first` got last. */
  setLatest(first: number, row: number): void {
    this.#latests[first] = row
  }

  /** The row with the variation that the user got last, or `NO_ROW`. */
  latest(first: number): number {
    return read(this.#latests, first)
  }

  addValue(row: number, value: number): void {
    this.#addValues(row, 1, value, 0)
  }

  /** The number of events. */
  count(row: number): number {
    return read(this.#counts, row)
  }

  /** The mean of the events' values. */
  mean(row: number): number {
    return read(this.#means, row)
  }

  /** The sum of squared deviations from the mean. */
  sumOfSquares(row: number): number {
    return read(this.#squares, row)
  }

  /**
   * Welford's method in the pairwise form of Chan, Golub and LeVeque (1979), which is numerically stable for large
   * values.
   */
  #addValues(row: number, count: number, mean: number, squares: number): void {
    const [before, after] = [this.count(row), this.count(row) + count]
    const difference = mean - this.mean(row)
    this.#counts[row] = after
    this.#means[row] = this.mean(row) + (difference * count) / after
    this.#squares[row] = this.sumOfSquares(row) + squares + (difference * difference * before * count) / after
  }

  /** In the order of `columns`. */
  #columns(): readonly Column[] {
    const links = [this.#variations, this.#flags, this.#nexts, this.#latests]
    return [...links, this.#counts, this.#means, this.#squares, this.#evaluations]
  }

  #grow(): void {
    const capacity = 2 * this.#variations.length
    this.#variations = copied(this.#variations, new Uint16Array(capacity))
    this.#flags = copied(this.#flags, new Uint8Array(capacity))
    this.#nexts = copied(this.#nexts, new Int32Array(capacity))
    this.#latests = copied(this.#latests, new Int32Array(capacity))
    this.#counts = copied(this.#counts, new Float64Array(capacity))
    this.#means = copied(this.#means, new Float64Array(capacity))
    this.#squares = copied(this.#squares, new Float64Array(capacity))
    this.#evaluations = copied(this.#evaluations, new Float64Array(capacity))
  }
}

type Column = Uint8Array | Uint16Array | Int32Array | Float64Array

/** The value of a row number that refers to no row. */
export const NO_ROW = -1

/** The initial capacity, in rows. */
const CAPACITY = 1024

const EXPOSED = 1
const REPORTED = 2

/** The variation of a row whose values were merged into another row; larger than the index of any variation. */
const MERGED = 0xffff

function read(column: Column, row: number): number {
  return column[row] ?? 0
}

function copied<Column extends { set: (from: Column) => void }>(from: Column, to: Column): Column {
  to.set(from)
  return to
}
