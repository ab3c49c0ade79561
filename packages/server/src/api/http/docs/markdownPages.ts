import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** The build copies the documentation beside the bundle; the source finds it at the root of the repository. */
const folder = new URL(import.meta.url.endsWith('.ts') ? '../../../../../../docs/' : './docs/', import.meta.url)

const GROUPS = ['get-started', 'guides', 'reference', 'operations']

/**
 * Reads the pages of the documentation: path below `docs/` → text. Requests only look up this table, so no path reaches
 * the file system.
 */
export function readMarkdownPages(): ReadonlyMap<string, string> {
  // An application that bundles the server may leave them out.
  if (!existsSync(folder)) return new Map()
  const paths = GROUPS.flatMap((group) => readdirSync(new URL(group, folder)).map((name) => `${group}/${name}`))
  const pages = ['README.md', 'language.md', ...paths].filter((path) => path.endsWith('.md'))
  return new Map(pages.map((path) => [path, readFileSync(new URL(path, folder), 'utf8')]))
}
