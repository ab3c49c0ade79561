import { readFileSync } from 'node:fs'
import { UsageError } from '@burgee/kit/settings'
import { suggestion } from '@burgee/kit/text'
import type { OperationFlag } from '../manifest/operationCommand.ts'

/** Parses the text of a flag. @throws {Error} with the reason if it is invalid. */
export function parseFlag({ kind, choices }: Pick<OperationFlag, 'kind' | 'choices'>, text: string): unknown {
  if (kind === 'json') return parseJson(readSource(text))
  if (kind === 'secret') {
    if (!isSource(text))
      throw new Error('other users of this computer can see flags: pass @file, or - for standard input')
    return readSource(text).replace(/\r?\n$/, '')
  }
  if (kind === 'number') return parseNumber(text)
  if (kind === 'boolean') {
    if (text !== 'true' && text !== 'false') throw new Error('it should be true or false')
    return text === 'true'
  }
  if (choices && !choices.includes(text)) {
    throw new Error(`it should be one of ${choices.join(', ')}${suggestion(text, choices)}`)
  }
  return text
}

/** Whether a text names a file or standard input. */
function isSource(text: string): boolean {
  return text === '-' || text.startsWith('@')
}

/** Returns the content of `@file` or, for `-`, of standard input; otherwise the text itself. */
function readSource(text: string): string {
  if (!isSource(text)) return text
  const path = text.slice(1)
  try {
    return readFileSync(text === '-' ? 0 : path, 'utf8')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    // A usage error is shown, although the text of a secret is not.
    throw new UsageError(
      text === '-' ? `standard input cannot be read: ${reason}` : `${path} cannot be read: ${reason}`,
      {
        cause
      }
    )
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`it should be JSON, @file with JSON, or - for standard input: ${reason}`, { cause })
  }
}

function parseNumber(text: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isNaN(number)) throw new Error('it should be a number')
  return number
}
