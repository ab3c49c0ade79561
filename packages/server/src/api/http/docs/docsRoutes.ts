import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { takeTurn } from '../../../lib/time.ts'
import { listScreenshots, readDocumentation, typeOf } from './documentation.ts'
import { renderGuidePage } from './guidePage.ts'
import { createJsonFile } from './jsonFile.ts'
import { CONTENT_SECURITY_POLICY } from './layout.ts'
import { renderLlmsTxt } from './llmsTxt.ts'
import type { OpenApiDocument } from './openApi.ts'
import {
  renderHeadingPage,
  renderIndexPage,
  renderMissingPage,
  renderSchemaPage,
  renderSchemasPage,
  renderSearchPage
} from './pages.ts'
import { type Reference, readReference } from './reference.ts'
import { listPages } from './searchReference.ts'

interface Dependencies {
  readonly openApi: () => Promise<Readonly<Record<string, unknown>>>
  /** Whether pages link to the dashboard at the server's root. */
  readonly hasDashboard: boolean
}

/**
 * Serves the OpenAPI document, the reference that is generated from it, and the documentation. Files are read, and
 * `openApi` is called, once, at the first request that needs them.
 */
export function docsRoutes({ openApi, hasDashboard }: Dependencies): Middleware {
  const router = new Router({ sensitive: true, strict: true })
  const documentation = once(readDocumentation)
  const screenshots = once(listScreenshots)
  const document = once(openApi)
  const openApiFile = once(async () => createJsonFile(await document()))
  // The generator of the contract always writes these members.
  const reference = once(async () => ({
    ...readReference((await document()) as unknown as OpenApiDocument),
    hasDashboard
  }))
  const llmsTxt = once(async () => renderLlmsTxt(await reference(), documentation()))
  const searchedPages = once(() => listPages(documentation()))
  const pages = once(async () => pagesOf(await reference()))
  /** The pages of the documentation that were requested: path below `docs/` → HTML. */
  const guides = new Map<string, string>()

  router.get('/', (ctx) => ctx.redirect('/docs'))
  router.get('/openapi.json', async (ctx) => (await openApiFile())(ctx))
  router.get('/llms.txt', async (ctx) => send(ctx, 'text/plain', await llmsTxt()))
  router.get('/docs', async (ctx) => {
    const query = [ctx.query.q ?? ''].flat().join(' ').trim().slice(0, MAX_QUERY_LENGTH)
    if (!query) return send(ctx, 'text/html', (await pages()).get('')?.() ?? '')
    // Anyone can search, and many searches at the same time would delay evaluations.
    await takeTurn()
    send(ctx, 'text/html', renderSearchPage(await reference(), searchedPages(), query))
  })
  router.get('/docs/', (ctx) => {
    ctx.status = 308
    ctx.redirect(`../docs${ctx.search}`)
  })
  // Pages link to it with a relative path.
  router.get('/docs/openapi.json', (ctx) => ctx.redirect('../openapi.json'))
  router.get('/docs/*path', async (ctx) => {
    const path = ctx.path.slice('/docs/'.length)
    const text = documentation().get(path)
    if (text !== undefined) {
      const type = typeOf(path) ?? 'text/plain'
      if (type !== 'text/markdown') return send(ctx, type, text)
      // Browsers get a page; programs and assistants, which accept anything, the text.
      ctx.vary('Accept')
      if (ctx.accepts('text/markdown', 'text/html') !== 'text/html') return send(ctx, type, text)
      const page = guides.get(path) ?? renderGuidePage(await reference(), path, text)
      guides.set(path, page)
      return send(ctx, 'text/html', page)
    }
    const screenshot = screenshots().get(path)
    if (screenshot) return send(ctx, 'image/png', screenshot())
    const page = (await pages()).get(path)
    ctx.status = page ? 200 : 404
    send(ctx, 'text/html', page ? page() : renderMissingPage(await reference(), path))
  })
  return router.routes() as Middleware
}

const MAX_QUERY_LENGTH = 100

function send(ctx: Context, type: string, body: string | Buffer): void {
  ctx.set('content-type', typeof body === 'string' ? `${type}; charset=utf-8` : type)
  ctx.set({
    'content-security-policy': CONTENT_SECURITY_POLICY,
    // For browsers that do not know `frame-ancestors`.
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff'
  })
  ctx.body = body
}

/** Path below `/docs/` → page. Each page is rendered on its first request and cached. */
function pagesOf(reference: Reference): ReadonlyMap<string, () => string> {
  return new Map([
    ['', once(() => renderIndexPage(reference))],
    ['schemas', once(() => renderSchemasPage(reference))],
    ...reference.headings.map((heading) => [heading.slug, once(() => renderHeadingPage(reference, heading))] as const),
    ...Object.entries(reference.schemas).map(
      ([name, schema]) => [`schemas/${name}`, once(() => renderSchemaPage(reference, name, schema))] as const
    )
  ])
}

/** Computes a value on first use and caches it. */
function once<T>(compute: () => T): () => T {
  let result: { readonly value: T } | undefined
  return () => {
    result ??= { value: compute() }
    return result.value
  }
}
