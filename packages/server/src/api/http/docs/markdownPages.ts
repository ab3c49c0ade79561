import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** The documentation: copied next to the bundle by the build; at the root of the repository for the source. */
const folder = new URL(import.meta.url.endsWith('.ts') ? '../../../../../../docs/' : './docs/', import.meta.url)

const GROUPS = ['get-started', 'guides', 'reference', 'operations']

/**
 * Reads the pages of the documentation: path below `docs/` → text. Requests look up pages in this map, so no requested
 * path reaches the file system.
 */
export function readMarkdownPages(): ReadonlyMap<string, string> {
  // Applications that bundle the server may omit the documentation.
  if (!existsSync(folder)) return new Map()
  const paths = GROUPS.flatMap((group) => readdirSync(new URL(group, folder)).map((name) => `${group}/${name}`))
  const pages = ['README.md', 'language.md', ...paths].filter((path) => path.endsWith('.md'))
  return new Map(pages.map((path) => [path, readFileSync(new URL(path, folder), 'utf8')]))
}
