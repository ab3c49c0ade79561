import { sep } from 'node:path'
import { hasCode } from '@burgee/kit/files'
import { UsageError } from '@burgee/kit/settings'
import { escapeControlCharacters } from '@burgee/kit/text'
import { HttpError, OptionError } from '../lib/errors.ts'
import { reasonOf } from '../lib/reasonOf.ts'
import { isDiskFull } from '../storage/disk/diskFull.ts'
import { DuplicateError, StoreLostError, StoreOpenError, StoreUnavailableError } from '../storage/store.ts'

/** The output of commands. */
export interface Terminal {
  /** Writes a line to standard output. */
  readonly print: (line: string) => void
  /** Writes a line to standard error. */
  readonly notice: (line: string) => void
}

/** Writes text verbatim. */
export type WriteText = (text: string) => void

/** Creates a terminal that escapes control characters, which text from a store or another server may contain. */
export function createTerminal(toOutput: WriteText, toError: WriteText): Terminal {
  return {
    print: (line) => toOutput(`${escapeControlCharacters(line)}\n`),
    notice: (line) => toError(`burgee-server: ${escapeControlCharacters(toOneLine(line))}\n`)
  }
}

/**
 * Prints why a start or a command failed. Returns the exit code: 2, after one line, for errors that the operator can
 * correct; 1, after a stack trace, for all others.
 */
export function printFailure(error: unknown, toError: WriteText): 1 | 2 {
  const isUserError = userErrors.some((kind) => error instanceof kind) || isRefusedByDisk(error)
  const message = !(error instanceof Error) ? String(error) : isUserError ? toRefusal(error) : error.stack
  toError(`burgee-server: ${escapeControlCharacters(String(message))}\n`)
  return isUserError ? 2 : 1
}

/** Errors that the operator can correct. */
const userErrors = [
  UsageError,
  OptionError,
  StoreOpenError,
  StoreLostError,
  StoreUnavailableError,
  HttpError,
  DuplicateError
]

/** Errors of the disk have no remedy of their own, unlike those that explain why a store or a target fails. */
function toRefusal(error: Error): string {
  const hasRemedy = error instanceof UsageError || error instanceof StoreOpenError
  return toOneLine(isDiskFull(error) && !hasRemedy ? `${error.message}; ${FREE_SPACE}` : error.message)
}

const FREE_SPACE = 'free some space on its disk, and run the command again'

/**
 * Runs a function that writes to the target of a command.
 * @throws {UsageError} if the target cannot be created, for example because it is below a file, or its disk is full.
 */
export async function writeTarget<T>(target: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (cause) {
    // Errors of a write have no path. Those of the store that is read are of other kinds.
    const isFull = !(cause instanceof StoreOpenError) && isDiskFull(cause)
    if (isFull) throw new UsageError(`${target} cannot be written: ${reasonOf(cause)}; ${FREE_SPACE}`, { cause })
    const isImpossible = IMPOSSIBLE.some((code) => hasCode(cause, code))
    const path = cause instanceof Error && 'path' in cause ? String(cause.path) : undefined
    const isOfTarget =
      path !== undefined && (path === `${target}.part` || contains(target, path) || contains(path, target))
    if (!isImpossible || !isOfTarget) throw cause
    throw new UsageError(`${target} cannot be created: ${reasonOf(cause)}`, { cause })
  }
}

/** Whether a path is a directory or a path below it. */
function contains(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : `${directory}${sep}`)
}

/** Why the operating system cannot create a file or directory at a path. */
const IMPOSSIBLE = ['ENOENT', 'ENOTDIR', 'EISDIR', 'EEXIST', 'EINVAL', 'ELOOP', 'ENAMETOOLONG', 'ENODEV', 'ENXIO']

/** Whether the file system refuses what a command writes: permissions, a full disk, or a limit of the size. */
function isRefusedByDisk(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EFBIG'].some((code) => hasCode(error, code))
}

function toOneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ')
}
