/** The result of checking one part of a store. */
export interface Finding {
  /** The file or the table. */
  readonly file: string
  /** What it contains, if it is sound. */
  readonly content?: string
  /** What is wrong with it, as a predicate of the file. */
  readonly problem?: string
}
