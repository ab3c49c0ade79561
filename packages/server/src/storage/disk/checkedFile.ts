import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hasCode, writeFileAtomic } from '@burgee/kit/files'

/** Writes a text durably, with a checksum at its end; only the owner of the process can read the file. */
export function writeCheckedFile(path: string, text: AsyncIterable<string>): Promise<void> {
  return writeFileAtomic(path, withChecksum(text))
}

async function* withChecksum(text: AsyncIterable<string>): AsyncGenerator<string> {
  const hash = createHash('sha256')
  for await (const piece of text) {
    hash.update(piece)
    yield piece
  }
  yield `\n${hash.digest('hex')}\n`
}

/** Reads a text. Returns undefined if there is no file. @throws if the file is damaged. */
export async function readCheckedFile(path: string): Promise<string | undefined> {
  const content = await readFile(path, 'utf8').catch((error) => {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  })
  if (content === undefined) return undefined
  const end = content.lastIndexOf('\n', content.length - 2)
  const text = content.slice(0, Math.max(end, 0))
  const checksum = createHash('sha256').update(text).digest('hex')
  if (content.slice(end) !== `\n${checksum}\n`) throw new Error(`${path} is damaged: its checksum does not match`)
  return text
}
