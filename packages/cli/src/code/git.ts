import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve, sep } from 'node:path'
import { hasCode } from '@burgee/kit/files'
import { UsageError } from '@burgee/kit/settings'
import { suggestion } from '@burgee/kit/text'
import type { CodeSource } from './source/codeRead.ts'

/** Runs git in a folder, and returns what it prints. @throws {UsageError} with what git says. */
export function git(folder: string, ...args: readonly string[]): string {
  try {
    return execFileSync('git', ['-C', folder, ...args], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'pipe']
    })
  } catch (cause) {
    throw new UsageError(`git ${args[0]} failed: ${describeGitError(cause)}`, { cause })
  }
}

function describeGitError(cause: unknown): string {
  if (hasCode(cause, 'ENOENT')) return 'git is not installed'
  const stderr = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : ''
  return stderr.split('\n')[0] || String(cause)
}

/** Returns what git prints, or `undefined` if it fails. */
export function tryGit(folder: string, ...args: readonly string[]): string | undefined {
  try {
    return git(folder, ...args).trim()
  } catch {
    return undefined
  }
}

/** Returns the root of the repository around a folder, or `undefined` if there is none. @throws {UsageError} without git. */
export function rootOf(folder: string): string | undefined {
  git(folder, '--version')
  return tryGit(folder, 'rev-parse', '--show-toplevel')
}

/** Returns the newest commit that two revisions have in common. @throws {UsageError} if there is none. */
export function commitInCommon(folder: string, one: string, other: string): string {
  const [first, second] = [commitOf(folder, one), commitOf(folder, other)]
  const base = tryGit(folder, 'merge-base', first, second)
  if (base !== undefined) return base
  throw new UsageError(
    `${one} and ${other} have no commit in common: in a shallow clone, fetch the history with git fetch --unshallow`
  )
}

/** Returns the commit of a revision. @throws {UsageError} for an unknown one, with the most similar branch or tag. */
export function commitOf(folder: string, revision: string): string {
  const commit = tryGit(folder, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`)
  if (commit !== undefined) return commit
  const names = git(folder, 'for-each-ref', '--format=%(refname:short)').split('\n').filter(Boolean)
  const hint = suggestion(revision, names) || ': fetch it first, or list branches with git branch'
  throw new UsageError(`the repository has no revision "${revision}"${hint}`)
}

/** Returns the files of a folder: in a work tree of git those that it does not ignore, elsewhere all. */
export function workingSource(folder: string): CodeSource {
  assertFolder(folder)
  const listed = tryGit(folder, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
  const files = listed === undefined ? listFolder(folder) : [...new Set(listed.split('\0').filter(Boolean))]
  return { files, read: (file) => readText(join(folder, file)), whyUnread: (file) => whyUnread(join(folder, file)) }
}

/** @throws {UsageError} */
function assertFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) throw new UsageError(`there is no folder ${path}`)
  if (found.isDirectory()) return
  throw new UsageError(`${path} is a file: pass its folder, and choose the file with --include "**/${basename(path)}"`)
}

/** Returns the files of a revision. */
export function revisionSource(folder: string, revision: string): CodeSource {
  const files = git(folder, 'ls-tree', '-r', '-z', '--name-only', revision).split('\0').filter(Boolean)
  const known = new Set(files)
  return {
    files,
    read: (file) => (known.has(file) ? git(folder, 'show', `${revision}:./${file}`) : undefined)
  }
}

function listFolder(folder: string): readonly string[] {
  const root = resolve(folder)
  const walk = (path: string): readonly string[] =>
    readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
      const inner = join(path, entry.name)
      if (entry.isDirectory()) return /^(node_modules|\.git)$/.test(entry.name) ? [] : walk(inner)
      return entry.isFile() ? inner.slice(root.length + 1).replaceAll(sep, '/') : []
    })
  try {
    return walk(root)
  } catch (cause) {
    throw new UsageError(`${folder} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

/** The size above which a file is not code that people write. */
const MAX_FILE_BYTES = 4 << 20

function readText(path: string): string | undefined {
  const bytes = readBytes(path)
  return bytes === undefined || problemOf(bytes) !== undefined ? undefined : bytes.toString('utf8')
}

function whyUnread(path: string): string | undefined {
  const bytes = readBytes(path)
  return bytes && problemOf(bytes)
}

function problemOf(bytes: Buffer): string | undefined {
  if (bytes.length > MAX_FILE_BYTES) return `it is larger than ${MAX_FILE_BYTES / (1 << 20)} MiB`
  return bytes.includes(0) ? 'it is not text' : undefined
}

function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    // Deleted meanwhile, or a submodule.
    return undefined
  }
}
