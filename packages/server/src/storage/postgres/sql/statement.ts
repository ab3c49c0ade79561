/** Collects the values of a statement and returns their placeholders. */
export class Values {
  readonly list: unknown[] = []

  /** Adds a value; returns its placeholder, for example `$1`. */
  add(value: unknown): string {
    this.list.push(value)
    return `$${this.list.length}`
  }
}
