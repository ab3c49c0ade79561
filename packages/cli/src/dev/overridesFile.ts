import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode, makeFolder, writeFileAtomic } from '@burgee/kit/files'
import { UsageError } from '@burgee/kit/settings'
import { suggestion } from '@burgee/kit/text'
import type { Document } from 'yaml'
import { z } from 'zod'
import { explainIssue } from '../document/read/explainIssue.ts'
import { parseFileTextStrictly } from '../document/read/fileText.ts'

const Features = z.record(z.string(), z.string('should be the key of a variation'))

/** The overrides of a file (docs/guides/local-development.md). */
const OverridesFile = z
  .strictObject({
    variables: z.record(z.string(), z.unknown()),
    features: Features,
    users: z.record(z.string(), z.strictObject({ features: Features }).partial())
  })
  .partial()
export type OverridesFile = z.infer<typeof OverridesFile>

/** Reads overrides; a missing file has none. @throws {UsageError} with the place of every issue. */
export async function readOverrides(path: string): Promise<OverridesFile> {
  return (await readOverridesDocument(path)).overrides
}

/** Sets the value of a variable for all users; `undefined` removes it. Other lines of the file stay as they are. */
export async function writeOverride(path: string, key: string, value: unknown): Promise<void> {
  const { document } = await readOverridesDocument(path)
  if (value === undefined) document.deleteIn(['variables', key])
  else document.setIn(['variables', key], value)
  await makeFolder(dirname(path))
  await writeFileAtomic(path, document.toString(), { mode: 0o666 })
}

async function readOverridesDocument(
  path: string
): Promise<{ readonly document: Document; readonly overrides: OverridesFile }> {
  const text = await readFile(path, 'utf8').catch((error) => {
    if (hasCode(error, 'ENOENT')) return ''
    throw new UsageError(`${path} cannot be read: ${error.message}`, { cause: error })
  })
  const file = parseFileTextStrictly(path, text)
  const { data, error } = OverridesFile.safeParse(file.value ?? {})
  if (data) return { document: file.document, overrides: data }
  const lines = error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') {
      const value = issue.path.reduce<unknown>((part, name) => Object(part)[name], file.value)
      return [`${file.placeOf(issue.path)}: ${issue.path.join('.')} ${explainIssue(issue, value)}`]
    }
    return issue.keys.map((key) => {
      const names = issue.path.length === 0 ? Object.keys(OverridesFile.shape) : ['features']
      return `${file.placeOf([...issue.path, key])}: ${[...issue.path, key].join('.')} is not known${suggestion(key, names)}`
    })
  })
  throw new UsageError(lines.join('\n'))
}
