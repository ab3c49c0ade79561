import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeTemporaryFiles, writeFileAtomic } from '../src/files.ts'

let directory: string
let path: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'burgee-kit-'))
  path = join(directory, 'file')
})

afterEach(() => rm(directory, { recursive: true }))

describe('writeFileAtomic', () => {
  it('names the file in errors', async () => {
    const missing = join(path, '..', 'no-such-folder', 'file.txt')
    await expect(writeFileAtomic(missing, 'new')).rejects.toThrow(`open '${missing}'`)
  })

  it('creates a file that only its owner can read, and leaves nothing else', async () => {
    await writeFileAtomic(path, 'new')
    expect(await readFile(path, 'utf8')).toBe('new')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(directory)).toEqual(['file'])
  })

  it('replaces a file with text in pieces, and with other permissions', async () => {
    await writeFile(path, 'old')
    await writeFileAtomic(path, ['n', 'e', 'w'], { mode: 0o640 })
    expect(await readFile(path, 'utf8')).toBe('new')
    expect((await stat(path)).mode & 0o777).toBe(0o640)
  })

  it('runs beforeRename while the old content is in place', async () => {
    await writeFile(path, 'old')
    let seen = ''
    const beforeRename = async () => {
      seen = await readFile(path, 'utf8')
    }
    await writeFileAtomic(path, 'new', { beforeRename })
    expect(seen).toBe('old')
  })

  it('keeps the old content and removes the temporary file when it fails', async () => {
    await writeFile(path, 'old')
    const beforeRename = () => Promise.reject(new Error('on purpose'))
    await expect(writeFileAtomic(path, 'new', { beforeRename })).rejects.toThrow('on purpose')
    expect(await readFile(path, 'utf8')).toBe('old')
    expect(await readdir(directory)).toEqual(['file'])
  })
})

describe('removeTemporaryFiles', () => {
  it('deletes what an interrupted write left behind, and nothing else', async () => {
    for (const name of ['file', 'file.tmp', 'file.3b241101-e2bb-4255-8caf-4136c566a962.tmp']) {
      await writeFile(join(directory, name), '')
    }
    await removeTemporaryFiles(directory)
    expect((await readdir(directory)).sort()).toEqual(['file', 'file.tmp'])
  })
})
