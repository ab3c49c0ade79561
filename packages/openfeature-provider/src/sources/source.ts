/** Where a config comes from: a value, a file, a server. It delivers until it is closed, and can be started again after that. */
export interface Source {
  /** What messages call it, as in `the file flags.json`. It holds no secret. */
  readonly name: string
  /** Begins to deliver to a listener. It never throws: what goes wrong is told to the listener. */
  readonly start: (listener: SourceListener) => void
  /** Ends everything that was begun; nothing is delivered any more. Closing again does nothing more. */
  readonly close: () => void
  /** Whether a document with this `owner` is one of its own; without it, only documents without an owner are. It may throw. */
  readonly owns?: (owner: string | undefined) => boolean
}

/** Whether a document with this `owner` is one of a source's own. */
export function ownsUpdate({ owns }: Source, owner: string | undefined): boolean {
  return owns ? owns(owner) : owner === undefined
}

/** Who a source delivers to. */
export interface SourceListener {
  /** Takes a config document as it came; it may be anything, and may be older than one before. Answers whether it is in use now. */
  readonly onConfig: (delivery: ConfigUpdate) => boolean
  /** The source was reached, and has nothing newer. */
  readonly onUnchanged: () => void
  /** The source cannot be read at the moment. It goes on trying. */
  readonly onFailure: (failure: SourceFailure) => void
  /** Something that the source gets on without, such as its stream, does not work. */
  readonly onWarning: (message: string) => void
}

/** A document that a source delivers. */
export interface ConfigUpdate {
  /** A `Config`, once it has been found to be one. */
  readonly config: unknown
  /** What tells this state from others. */
  readonly etag?: string | undefined
  /** Epoch milliseconds. A state that is older than the one at hand is ignored. */
  readonly lastModified?: number | undefined
  /** What tells whose document it is, where the source's name does not: of which environment, or which key it was asked for with. It holds no secret. */
  readonly owner?: string | undefined
}

/** Why a source cannot be read. */
export interface SourceFailure {
  /** In words: what was tried, what came of it. It holds no secret. */
  readonly message: string
  /** Whether the server refuses the SDK key. */
  readonly isRefused?: boolean
}
