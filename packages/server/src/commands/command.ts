import type { Client, Operations } from '@burgee/contract'
import type { MakeEdit } from '../audit/edit.ts'
import type { TokenCaller } from '../caller.ts'
import type { Ids } from '../id.ts'
import type { AuditLog } from '../store/auditLog.ts'
import type { StoredOrganization } from '../store/resources.ts'
import type { Store } from '../store/store.ts'

/** What somebody at the console of a server can do. */
export type Command = StoreCommand | AuditLogCommand | ServerCommand

/** Works on the store while the server is not running. */
export interface StoreCommand extends Described {
  readonly opens?: 'store'
  /** Whether it can be the first to use a store. Every other one is about what is there, and makes none. */
  readonly makesStore?: boolean
  /** What does the same while the server is running. */
  readonly operation?: keyof Operations
  /** Answers the exit code: 0 when all is well. @throws {CommandError} when the arguments cannot be used. */
  readonly run: (console: Console, given: Given) => Promise<number>
}

/** Only reads the audit log, whether or not a server is running, and whether or not the store can be opened. */
export interface AuditLogCommand extends Described {
  readonly opens: 'auditLog'
  /** As that of a command that works on the store. */
  readonly run: (console: AuditLogConsole, given: Given) => Promise<number>
}

/** Asks a running server, wherever it is. */
export interface ServerCommand extends Described {
  readonly opens: 'server'
  /** As that of a command that works on the store. */
  readonly run: (console: ServerConsole, given: Given) => Promise<number>
}

/** How a command is called. */
interface Described {
  /** As it is typed: `users add`. */
  readonly name: string
  /** What follows the name: `<email> [--role <role>]…`. */
  readonly usage: string
  readonly summary: string
  /** What its help says about its flags, where that is not only the store. */
  readonly details?: readonly string[]
  /** Flags that take a value, and those that do not. */
  readonly flags?: Readonly<Record<string, { readonly type: 'string' | 'boolean'; readonly multiple?: boolean }>>
}

/** What a command was given. */
export interface Given {
  readonly positionals: readonly string[]
  readonly flags: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>
}

/** What a command works with. */
export interface Console {
  readonly store: Store
  readonly edit: MakeEdit
  readonly ids: Ids
  readonly now: () => number
  readonly organization: StoredOrganization
  /** In whose name it acts: the server's own. */
  readonly caller: TokenCaller
  /** Writes a line to standard output. */
  readonly print: (line: string) => void
}

/** What a command works with that only reads the audit log. */
export interface AuditLogConsole {
  readonly log: AuditLog
  /** Writes a line to standard output. */
  readonly print: (line: string) => void
}

/** What a command works with that asks a running server. */
export interface ServerConsole {
  readonly client: Client
  /** The key or id of the project that it is about. */
  readonly project: string
  /** Writes a line to standard output. */
  readonly print: (line: string) => void
}

/** Arguments that cannot be used; the message says which, and what would be right. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
