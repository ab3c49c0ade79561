/** How sure it is that a place reads a variable. */
export type Confidence =
  /** The call belongs to an SDK that the file imports, or to a declared wrapper or client. */
  | 'certain'
  /** The name of the call is that of an SDK. */
  | 'likely'

/** A place in a file. Lines and columns start with 1. */
export interface Place {
  readonly file: string
  readonly language: string
  readonly line: number
  readonly column: number
  /** The last line of the call. */
  readonly endLine: number
}

/** A place where code reads a variable. */
export interface CodeRead extends Place {
  /** The key of the variable. */
  readonly key: string
  readonly confidence: Confidence
  readonly isTest: boolean
}

/** A place where code reads a variable whose key is only known when it runs. */
export interface DynamicRead extends Place {
  /** The expression of the key. */
  readonly expression: string
  readonly isTest: boolean
}

/** What one file reads. */
export interface FileReads {
  readonly reads: readonly CodeRead[]
  readonly dynamic: readonly DynamicRead[]
  /** Why the file was searched by patterns instead of a parser. */
  readonly problem?: string
}

/** A call that takes a key, of the application's own code. */
export interface Wrapper {
  readonly name: string
  /** The position of the key among the arguments, from 0. */
  readonly position: number
}

/** Where a key stands in files of a form that the scan does not know. */
export interface CodePattern {
  readonly glob: string
  /** A regular expression whose only group is the key. */
  readonly expression: string
}

/** What the scan knows about the code. */
export interface ScanOptions {
  readonly wrappers: readonly Wrapper[]
  /** The names of objects that are clients, though no import says so. */
  readonly clients: readonly string[]
  /** Keys by the expression that stands for them: `FLAGS.checkout`. */
  readonly aliases: ReadonlyMap<string, string>
  /** The keys of the variables of the project, if they are known. */
  readonly knownKeys: ReadonlySet<string> | undefined
  readonly patterns?: readonly CodePattern[]
}

/** The files of one version of the code. Paths are relative, with `/`. */
export interface CodeSource {
  readonly files: readonly string[]
  /** Returns the text of a file, or `undefined` if it does not exist or is not text. */
  readonly read: (file: string) => string | undefined
  /** Returns why a file that exists is not read, or `undefined`. Omitted if all files are read. */
  readonly whyUnread?: (file: string) => string | undefined
}
