import { mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findFileId, hasCode, isSameFile } from '../src/files.ts'

let directory: string
let path: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'burgee-kit-'))
  path = join(directory, 'file')
})

afterEach(() => rm(directory, { recursive: true }))

it('recognizes an open file until its path is removed or leads to another one', async () => {
  const file = await open(path, 'wx')
  try {
    expect(await isSameFile(path, file)).toBe(true)
    await rename(path, `${path}.moved`)
    expect([await isSameFile(path, file), await isSameFile(`${path}.moved`, file)]).toEqual([false, true])
    await writeFile(path, '')
    expect(await isSameFile(path, file)).toBe(false)
  } finally {
    await file.close()
  }
})

it('finds no id where there is no file, and fails where it cannot look', async () => {
  expect(await findFileId(path)).toBeUndefined()
  await writeFile(path, '')
  expect(await findFileId(path)).toMatch(/^\d+:\d+$/)
  const error = await findFileId(join(path, 'below')).catch((error: unknown) => error)
  expect([hasCode(error, 'ENOTDIR'), hasCode(error, 'ENOENT'), hasCode('ENOTDIR', 'ENOTDIR')]).toEqual([
    true,
    false,
    false
  ])
})
