import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { hasCode } from '@burgee/kit/files'
import type { Context, Middleware } from 'koa'
import { methodNotAllowed, notFound } from '../../lib/errors.ts'
import { matchesEtag } from '../../lib/etag.ts'
import { negotiateEncoding } from './response/negotiateEncoding.ts'

/**
 * Serves the built dashboard of a directory: `index.html` at `/` and below `/o/`, and the files of `assets/`. Passes
 * other requests on. The names of assets contain hashes of their content.
 * @throws {Error} if the directory has no `index.html`.
 */
export function dashboardFiles(directory: URL): Middleware {
  const index = readFileSync(new URL('index.html', directory))
  const etag = `"${createHash('sha256').update(index).digest('base64url').slice(0, 27)}"`
  const assets = new URL('assets/', directory)
  const names = new Set(listFiles(assets))
  const contents = new Map<string, Promise<Buffer>>()
  /** Reads a file once. */
  const read = (name: string): Promise<Buffer> => {
    const known = contents.get(name)
    if (known !== undefined) return known
    const content = readFile(new URL(name, assets))
    contents.set(name, content)
    content.catch(() => contents.delete(name))
    return content
  }

  const sendIndex = (ctx: Context) => {
    ctx.state.operation = 'dashboard'
    ctx.set({ ...PAGE_HEADERS, 'cache-control': 'no-cache', etag })
    ctx.type = 'text/html; charset=utf-8'
    if (matchesEtag(ctx.get('if-none-match'), etag)) ctx.status = 304
    else ctx.body = index
  }

  const sendAsset = async (ctx: Context, name: string) => {
    ctx.state.operation = 'dashboardAsset'
    const type = TYPES[/\.\w+$/.exec(name)?.[0] ?? '']
    if (!names.has(name) || type === undefined) throw notFound('there is no such file of the dashboard')
    // Encodings that the build lacks are excluded.
    const missing = ENCODINGS.filter(({ ending }) => !names.has(`${name}${ending}`))
    const preferences = [ctx.get('accept-encoding'), ...missing.map((one) => `${one.encoding};q=0`)].join(',')
    const accepted = negotiateEncoding(preferences)
    const encoding = ENCODINGS.find((one) => one.encoding === accepted)
    ctx.set({
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
      vary: 'Accept-Encoding',
      ...(encoding ? { 'content-encoding': encoding.encoding } : {})
    })
    ctx.body = await read(`${name}${encoding?.ending ?? ''}`)
    ctx.type = type
  }

  return async (ctx, next) => {
    const { path } = ctx
    const isPage = path === '/' || path.startsWith('/o/')
    if (!isPage && !path.startsWith('/assets/')) return next()
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      throw methodNotAllowed('a file of the dashboard', ['GET', 'HEAD'], ctx.method)
    }
    if (isPage) sendIndex(ctx)
    else await sendAsset(ctx, path.slice('/assets/'.length))
  }
}

/** The headers of the page. Its policy allows only files of this server, and no script in markup. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; font-src 'none'; worker-src 'none'; object-src 'none'; frame-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'
} as const

const ENCODINGS = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' }
] as const

/** The files that a build can contain. Others, and the compressed files themselves, are not served. */
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json'
}

/** Lists the files of a directory, if it exists. */
function listFiles(directory: URL): readonly string[] {
  try {
    return readdirSync(fileURLToPath(directory), { withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [entry.name] : []
    )
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}
