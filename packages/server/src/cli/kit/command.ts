import type { Operations } from '@burgee/contract'
import type { Client } from '@burgee/contract/client'
import type { EditRunner } from '../../access/audit/edit.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { AuditLog } from '../../storage/auditLog.ts'
import type { StoredOrganization } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'

/** What somebody at the console of a server can do. */
export type Command = StoreCommand | AuditLogCommand | ServerCommand

/** Works on the store while the server is not running. */
export interface StoreCommand extends CommandDescription {
  readonly opens?: 'store'
  /** Whether it can be the first to use a store. Every other one is about what is there, and makes none. */
  readonly createsStore?: boolean
  /** What does the same while the server is running. */
  readonly operation?: keyof Operations
  /** Answers the exit code: 0 when all is well. @throws {CommandError} when the arguments cannot be used. */
  readonly run: (console: StoreCommandContext, given: ParsedArguments) => Promise<number>
}

/** Only reads the audit log, whether or not a server is running, and whether or not the store can be opened. */
export interface AuditLogCommand extends CommandDescription {
  readonly opens: 'auditLog'
  /** As that of a command that works on the store. */
  readonly run: (console: AuditLogCommandContext, given: ParsedArguments) => Promise<number>
}

/** Asks a running server, wherever it is. */
export interface ServerCommand extends CommandDescription {
  readonly opens: 'server'
  /** As that of a command that works on the store. */
  readonly run: (console: ServerCommandContext, given: ParsedArguments) => Promise<number>
}

/** How a command is called. */
interface CommandDescription {
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
export interface ParsedArguments {
  readonly positionals: readonly string[]
  readonly flags: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>
}

/** What a command works with. */
export interface StoreCommandContext {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly now: () => number
  readonly organization: StoredOrganization
  /** In whose name it acts: the server's own. */
  readonly caller: TokenCaller
  /** Writes a line to standard output. */
  readonly print: (line: string) => void
}

/** What a command works with that only reads the audit log. */
export interface AuditLogCommandContext {
  readonly log: AuditLog
  /** Writes a line to standard output. */
  readonly print: (line: string) => void
}

/** What a command works with that asks a running server. */
export interface ServerCommandContext {
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
