/** The result of checking one part of a store. */
export interface Finding {
  /** The file or the table. */
  readonly file: string
  /** A summary of the content, if it is undamaged. */
  readonly content?: string
  /** What an operator should know about it, although it is no damage. */
  readonly notice?: string
  /** What is wrong with it, as a predicate of the file. */
  readonly problem?: string
}
