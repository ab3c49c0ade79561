import { execFile } from 'node:child_process'
import type { KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { parseAnchorKey } from '../access/anchors/anchor.ts'
import type { Options } from '../cli/options.ts'
import { OptionError } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'
import { parseStoreDirectory } from '../storage/storeUrl.ts'

/**
 * Loads the key that signs anchors of the audit log: from the setting itself, a file, or the output of a command.
 * Returns `undefined` if none is set.
 * @throws {OptionError} if the key cannot be read or is no Ed25519 key.
 */
export async function loadAnchorKey(options: Options, log: Logger): Promise<KeyObject | undefined> {
  const { auditAnchorKey, auditAnchorKeyFile, auditAnchorKeyCommand, store } = options
  if (auditAnchorKey !== '') return parse(auditAnchorKey, 'BURGEE_AUDIT_ANCHOR_KEY')
  if (auditAnchorKeyFile !== '') {
    const directory = parseStoreDirectory(store)
    if (directory !== undefined && resolve(auditAnchorKeyFile).startsWith(`${resolve(directory)}${sep}`)) {
      log.warn('the key that signs anchors of the audit log is in the directory of the store: keep it elsewhere')
    }
    const name = `BURGEE_AUDIT_ANCHOR_KEY_FILE (${auditAnchorKeyFile})`
    return parse(await readFile(auditAnchorKeyFile, 'utf8').catch(unreadable(name)), name)
  }
  if (auditAnchorKeyCommand === '') return undefined
  const name = 'BURGEE_AUDIT_ANCHOR_KEY_COMMAND'
  const { stdout } = await run('/bin/sh', ['-c', auditAnchorKeyCommand], { timeout: COMMAND_MS }).catch(
    unreadable(name)
  )
  return parse(stdout, name)
}

const run = promisify(execFile)

/** How long the command may take, in milliseconds. */
const COMMAND_MS = 30_000

function parse(pem: string, name: string): KeyObject {
  const key = parseAnchorKey(pem)
  if (!key)
    throw new OptionError(`${name} should give an Ed25519 private key in PEM (openssl genpkey -algorithm ed25519)`)
  return key
}

/** Names the exit code only: the output of a command can contain the key. */
function unreadable(name: string) {
  return (cause: unknown): never => {
    const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
    throw new OptionError(`${name} cannot be read${code}`)
  }
}
