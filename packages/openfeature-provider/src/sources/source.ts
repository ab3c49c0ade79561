/** Provides configs: from memory, a file or a server. A closed source can be started again. */
export interface Source {
  /** Names the source in messages, for example `the file flags.json`. Contains no secret. */
  readonly name: string
  /** Starts to deliver to a listener. Never throws; failures go to the listener. */
  readonly start: (listener: SourceListener) => void
  /** Stops the source; no further calls follow. Can be called repeatedly. */
  readonly close: () => void
  /**
   * Whether a cached config with this `owner` belongs to the source. Default: only one without an owner does. May
   * throw.
   */
  readonly owns?: (owner: string | undefined) => boolean
}

/** Whether a cached config belongs to a source. */
export function ownsUpdate({ owns }: Source, owner: string | undefined): boolean {
  return owns ? owns(owner) : owner === undefined
}

/** Receives the updates of a source. */
export interface SourceListener {
  /** Receives a document, which may be malformed or older than the one before. Returns whether it is in use. */
  readonly onConfig: (update: ConfigUpdate) => boolean
  /** The source was reached and has no newer config. */
  readonly onUnchanged: () => void
  /** The source cannot be read now. It keeps trying. */
  readonly onFailure: (failure: SourceFailure) => void
  /** A part that the source can do without, such as its stream, does not work. */
  readonly onWarning: (message: string) => void
}

/** A config document from a source. */
export interface ConfigUpdate {
  /** A `Config`, once validated. */
  readonly config: unknown
  /** Identifies the version. */
  readonly etag?: string | undefined
  /** Epoch milliseconds. Versions older than the one in use are ignored. */
  readonly lastModified?: number | undefined
  /** Identifies the environment or key of the document, where the source's name does not. Contains no secret. */
  readonly owner?: string | undefined
}

/** Why a source cannot be read. */
export interface SourceFailure {
  /** What was tried and what failed. Contains no secret. */
  readonly message: string
  /** Whether the server refuses the SDK key. */
  readonly isRefused?: boolean
}
