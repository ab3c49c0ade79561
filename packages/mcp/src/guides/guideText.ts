import { readFile } from 'node:fs/promises'
import { packageRoot } from '../packageRoot.ts'

/** What was read already: the files are part of the package and stay as they are. */
const read = new Map<string, Promise<string>>()

/** The text of a file of the package's folder `guides`. */
export function guideText(path: string): Promise<string> {
  const known = read.get(path) ?? readFile(new URL(`guides/${path}`, packageRoot), 'utf8')
  read.set(path, known)
  return known
}

/** The text of a guide without its title, for what puts another one above it. */
export async function guideBody(path: string): Promise<string> {
  return (await guideText(path)).replace(/^# .*\n/, '').trim()
}
