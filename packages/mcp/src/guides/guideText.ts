import { readFile } from 'node:fs/promises'
import { packageRoot } from '../packageRoot.ts'

const cache = new Map<string, Promise<string>>()

/** Returns the text of a file in the package's folder `guides`. */
export function guideText(path: string): Promise<string> {
  const text = cache.get(path) ?? readFile(new URL(`guides/${path}`, packageRoot), 'utf8')
  cache.set(path, text)
  return text
}

/** Returns the text of a guide without its title. */
export async function guideBody(path: string): Promise<string> {
  return (await guideText(path)).replace(/^# .*\n/, '').trim()
}
