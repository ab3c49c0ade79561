import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** The documentation: copied next to the bundle by the build; at the root of the repository for the source. */
const folder = new URL(import.meta.url.endsWith('.ts') ? '../../../../../../docs/' : './docs/', import.meta.url)

/**
 * Reads the documentation and the images of its pages: path below `docs/` → text. Requests look up files in this map,
 * so no requested path reaches the file system.
 */
export function readDocumentation(): ReadonlyMap<string, string> {
  // Applications that bundle the server may omit the documentation.
  if (!existsSync(folder)) return new Map()
  return new Map(
    // The server generates the OpenAPI document itself.
    listFiles()
      .filter((path) => typeOf(path) !== undefined && path !== 'openapi.json')
      .map((path) => [path, read(path)])
  )
}

/** Lists the screenshots of the documentation: path below `docs/` → its content, which is read when it is requested. */
export function listScreenshots(): ReadonlyMap<string, () => Buffer> {
  if (!existsSync(folder)) return new Map()
  const paths = listFiles().filter((path) => path.endsWith('.png'))
  return new Map(paths.map((path) => [path, () => readFileSync(new URL(path, folder))]))
}

function listFiles(): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
}

function read(path: string): string {
  const text = readFileSync(new URL(path, folder), 'utf8')
  return path.endsWith('.md') ? withoutOuterLinks(text, path) : text
}

/** Returns the media type of a file of the documentation by its ending; `undefined` for files that are not served. */
export function typeOf(path: string): string | undefined {
  const ending = path.slice(path.lastIndexOf('.') + 1)
  return Object.hasOwn(types, ending) ? types[ending] : undefined
}

const types: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  svg: 'image/svg+xml',
  json: 'application/json'
}

/** Replaces the links of a page to files outside `docs/`, which the server does not have, with their paths. */
function withoutOuterLinks(text: string, path: string): string {
  return text.replace(/\[([^\]]*)\]\((\.\.\/[^)\s]*)\)/g, (link, name, target) => {
    const { pathname } = new URL(target, `file:///${ROOT}/docs/${path}`)
    if (pathname.startsWith(`/${ROOT}/docs/`)) return link
    const file = pathname.slice(`/${ROOT}/`.length)
    return name === file ? `\`${file}\` of the repository` : `${name} (\`${file}\` of the repository)`
  })
}

/** A folder for the paths of the repository: no link leads above it. */
const ROOT = 'repository'
