import type { OperationRow } from '@burgee/contract/client'

/** The command of an operation, as data: everything that help, completion and the request need. */
export interface OperationCommand {
  /** As users type it: `features create`. */
  readonly name: string
  readonly summary: string
  readonly description?: string
  /** The permission that the caller needs. */
  readonly permission?: string
  /** What the client needs to send the request. */
  readonly row: OperationRow
  /** The path parameter that is a positional argument. */
  readonly positional?: string
  /** What the positional argument names: `environment`. */
  readonly placeholder?: string
  readonly flags: readonly OperationFlag[]
  /** The request takes a body. */
  readonly hasBody: boolean
  /** The body can be left out. */
  readonly isBodyOptional?: true
  /** Whether a success has an object or a list; omitted if it has no body. */
  readonly returns?: 'object' | 'list'
  /** The members of an item that a table shows, for lists. */
  readonly columns: readonly string[]
  /** The arguments of a working call, from the examples of the record. */
  readonly example: readonly string[]
}

/** A flag that sets one member of the request. */
export interface OperationFlag {
  readonly flag: `--${string}`
  /** The part of the request and its member. */
  readonly in: 'params' | 'query' | 'headers' | 'body'
  readonly member: string
  /** A secret is read from a file or from standard input. */
  readonly kind: 'text' | 'number' | 'boolean' | 'json' | 'secret'
  readonly choices?: readonly string[]
  /** The flag can be repeated; the member is a list. */
  readonly isList?: true
  readonly isRequired?: true
  /** The member can be `null`. */
  readonly isNullable?: true
  readonly help: string
}
