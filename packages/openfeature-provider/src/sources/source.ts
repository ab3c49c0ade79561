/** Provides configs: from memory, a file or a server. A closed source can be started again. */
export interface Source {
  /** Names the source in messages, for example `the file flags.json`. Contains no secret. */
  readonly name: string
  /** Starts to deliver to a listener. Never throws; failures go to the listener. */
  readonly start: (listener: SourceListener) => void
  /** Stops the source; no further calls follow. Can be called repeatedly. */
  readonly close: () => void
  /**
   * Whether a cached config with this `owner` belongs to the source. By default, only configs without an owner do. May
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
  /** Receives a document, which may be malformed or older than the previous one. Returns whether it is in use. */
  readonly onConfig: (update: ConfigUpdate) => boolean
  /** Called when the source was reached and has no newer config. */
  readonly onUnchanged: () => void
  /** Called when the source cannot be read. The source keeps trying. */
  readonly onFailure: (failure: SourceFailure) => void
  /** Called when an optional part of the source, such as its stream, fails. */
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
  /** Identifies the environment or key of the document if the source's name does not. Contains no secret. */
  readonly owner?: string | undefined
}

/** A failure to read a source. */
export interface SourceFailure {
  /** A description of the attempt and its failure. Contains no secret. */
  readonly message: string
  /** Whether the server rejected the SDK key. */
  readonly isRefused?: boolean
}
