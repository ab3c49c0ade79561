import { createReadStream, createWriteStream } from 'node:fs'
import { access, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { hasCode, syncDirectory } from '@burgee/kit/files'
import { UsageError } from '@burgee/kit/settings'
import { reasonOf } from '../lib/reasonOf.ts'
import { splitLines } from '../storage/disk/readLines.ts'
import { damagedExport } from '../storage/transfer/exportLines.ts'

/**
 * Writes the lines of an export to a new file durably, compressed if its name ends with `.gz`. A partial file is
 * removed.
 * @throws {UsageError} if the file exists.
 */
export async function writeExport(path: string, lines: AsyncIterable<string>): Promise<void> {
  const isTaken = await access(path).then(
    () => true,
    () => false
  )
  if (isTaken) throw new UsageError(`${path} exists; choose another name, or delete it`)
  const partial = `${path}.part`
  try {
    const output = createWriteStream(partial, { mode: 0o600 })
    const source = Readable.from(joinLines(lines))
    if (path.endsWith('.gz')) await pipeline(source, createGzip(), output)
    else await pipeline(source, output)
    const file = await open(partial, 'r+')
    await file.sync().finally(() => file.close())
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
  await syncDirectory(dirname(path))
}

/** Joins lines to large pieces. */
async function* joinLines(lines: AsyncIterable<string>): AsyncGenerator<string, void> {
  let text = ''
  for await (const line of lines) {
    text += `${line}\n`
    if (text.length < 65_536) continue
    yield text
    text = ''
  }
  yield text
}

/** Reads the lines of an export. @throws {StoreOpenError} when its compression or its text is damaged or incomplete. */
export async function* readExport(path: string): AsyncGenerator<string, void> {
  try {
    yield* splitLines(path.endsWith('.gz') ? decompress(path) : createReadStream(path))
  } catch (cause) {
    if (!DAMAGED.some((code) => hasCode(cause, code))) throw cause
    throw damagedExport(path, reasonOf(cause), cause)
  }
}

/** Compressed bytes that end early or are wrong, and text that is not UTF-8. */
const DAMAGED = ['Z_BUF_ERROR', 'Z_DATA_ERROR', 'ERR_ENCODING_INVALID_ENCODED_DATA']

function decompress(path: string): AsyncIterable<Buffer> {
  const stream = createReadStream(path)
  const gunzip = createGunzip()
  stream.on('error', (error) => gunzip.destroy(error))
  return stream.pipe(gunzip)
}
