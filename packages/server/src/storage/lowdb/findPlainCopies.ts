import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isEncryptedDocument } from './document/storeDocument.ts'

/** Returns the paths of the copies of documents in a directory (`*.bak`) with secrets in plain text. */
export async function findPlainCopies(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.bak'))
  const copies = files.map(({ name }) => join(directory, name))
  const isEncrypted = await Promise.all(copies.map(async (path) => isEncryptedDocument(await readHead(path))))
  return copies.filter((_, at) => !isEncrypted[at])
}

async function readHead(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

const HEAD_BYTES = 64
