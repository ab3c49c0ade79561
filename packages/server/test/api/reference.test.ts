import { operations } from '@burgee/contract'
import { textOf } from '@burgee/testing/browser'
import { send, serve, type TestServer } from '@burgee/testing/harness'
import { beforeAll, describe, expect, it, test } from 'vitest'

let server: TestServer

beforeAll(async () => {
  server = await serve({})
})

const get = (path: string) => send(server, { path })

/** The local URLs that a page links to, without fragments. */
function linksOf(page: string, path: string): string[] {
  const links = [...page.matchAll(/(?:href|action)="([^"#]*)/g)].map(
    ([, href = '']) => new URL(href, server.url + path)
  )
  return [...new Set(links.map(({ pathname }) => pathname))]
}

const headings = [...new Set(Object.values(operations).map(({ tag }) => tag))].map((tag) => ({
  tag,
  path: `/docs/${tag
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join('-')}`,
  members: Object.values(operations).filter((operation) => operation.tag === tag)
}))

describe('the reference', () => {
  it('starts with all operations by heading, and the credentials', async () => {
    const { status, headers, body } = await get('/docs')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    for (const { id } of Object.values(operations)) expect(body).toContain(`#${id}"`)
    for (const text of [server.url, 'Authorization', 'X-API-Key', 'sdkKey']) expect(body).toContain(text)
    const root = await get('/')
    expect([root.status, root.headers.location]).toEqual([302, '/docs'])
  })

  test.each(headings)('has a page for $tag with its operations, each with two samples', async ({ path, members }) => {
    const { status, body } = await get(path)
    expect(status).toBe(200)
    for (const { id, method } of members) {
      const section = body.slice(body.indexOf(`<section id="${id}">`)).split('</section>')[0]
      expect(section).toContain(`>${method}</span>`)
      expect(section).toMatch(/<code>curl [^<]*http:/)
      expect(section).toMatch(/<code>const response = await fetch\(/)
    }
    expect(Buffer.byteLength(body)).toBeLessThan(200_000)
  })

  it('has JavaScript samples that parse and JSON that a shell passes on unchanged', async () => {
    const AsyncFunction: FunctionConstructor = Object.getPrototypeOf(async () => undefined).constructor
    for (const { path } of headings) {
      const { body } = await get(path)
      const samples = [...body.matchAll(/<pre tabindex="0"><code>((?:curl|const response)[^<]*)/g)].map(
        ([, code = '']) => textOf(code)
      )
      for (const code of samples) {
        if (code.startsWith('const')) expect(() => new AsyncFunction(code)).not.toThrow()
        const [, data] = /--data '(.*)'$/s.exec(code) ?? []
        if (data) expect(() => JSON.parse(data.replaceAll("'\\''", "'"))).not.toThrow()
      }
    }
  })

  it('links only to existing pages, and no page runs a script or loads anything', async () => {
    const seen = new Set(['/docs'])
    for (const path of seen) {
      const { status, headers, body } = await get(path)
      expect([path, status]).toEqual([path, 200])
      if (!String(headers['content-type']).startsWith('text/html')) continue
      expect([headers['x-frame-options'], headers['x-content-type-options']]).toEqual(['DENY', 'nosniff'])
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; form-action 'self'/
      )
      expect(body).not.toMatch(/<script|<[^>]*\s(src|on\w+)=|href="(https?|javascript):|undefined|\[object/)
      expect(Buffer.byteLength(body)).toBeLessThan(200_000)
      for (const link of linksOf(body, path)) seen.add(link)
    }
    expect(seen.size).toBeGreaterThan(150)
  })

  it('describes a schema with its members, an example, and the operations that use it', async () => {
    const { body } = await get('/docs/schemas/CreateFeature')
    for (const text of [
      'controlVariation',
      'required',
      '../../docs/schemas/CreateVariable',
      'Dark mode',
      '#createFeature'
    ])
      expect(body).toContain(text)
  })

  const { id, path, summary } = operations.getOptInConfig
  test.each([
    ['its path', path],
    ['the words of its summary', summary.toUpperCase()],
    ['its id', id]
  ])('finds an operation by %s', async (_, query) => {
    const { status, body } = await get(`/docs?q=${encodeURIComponent(query)}`)
    expect(status).toBe(200)
    expect(body).toContain(`#${id}"`)
    expect(body).not.toContain('#createFeature"')
  })

  test.each([
    ['the name of a member', 'staticVariation'],
    ['the names of a schema and of its member', 'updatefeaturestatus staticvariation'],
    ['the name of a member of an object inside it', 'optInEnabled']
  ])('finds a schema by %s', async (_, query) => {
    const { body } = await get(`/docs?q=${encodeURIComponent(query)}`)
    const [member = ''] = query.split(' ').slice(-1)
    expect(body).toMatch(new RegExp(`<a href="docs/schemas/\\w+">\\w+</a>: [^<]*${member}`, 'i'))
  })

  it('finds no schema by words of different members', async () => {
    const { body } = await get(`/docs?q=${encodeURIComponent('staticVariation optInEnabled')}`)
    expect(body).not.toContain('<h2>Schemas</h2>')
  })

  it('escapes the search text, and reports when nothing is found', async () => {
    const { status, body } = await get(`/docs?q=${encodeURIComponent('"><img src=x onerror=alert(1)>')}`)
    expect(status).toBe(200)
    expect(body).toContain('No results')
    expect(body).not.toContain('<img')
    expect(body).toContain('value="&#34;&#62;&#60;img')
  })

  test.each([
    '/docs/nothing',
    '/docs/schemas/Nothing',
    '/docs/constructor',
    '/docs/%3Cb%3E',
    '/docs/guides/nothing.md'
  ])('returns 404 with links: %s', async (path) => {
    const { status, body } = await get(path)
    expect(status).toBe(404)
    expect(body).toContain('Not found')
    expect(linksOf(body, path)).toContain('/docs')
    expect(body).not.toContain('<b>')
  })
})

describe('the documentation as Markdown', () => {
  it('is listed in llms.txt, and all its links resolve', async () => {
    const { status, headers, body } = await get('/llms.txt')
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(body).toMatch(/^# Burgee\n\n> .+\n/)
    for (const name of ['Get started', 'Guides', 'Reference', 'Operations', 'API reference']) {
      expect(body).toContain(`\n## ${name}\n\n- [`)
    }
    const links: string[] = [...body.matchAll(/^- \[[^\]]+\]\(([^)]+)\): .+$/gm)].map(([, link]) => link)
    expect(links.length).toBeGreaterThan(40)
    for (const link of links) expect([link, (await get(link.replace(server.url, ''))).status]).toEqual([link, 200])
  })

  test.each(['README.md', 'language.md', 'guides/approvals.md', 'reference/settings.md'])(
    'is served: %s',
    async (page) => {
      const { status, headers, body } = await get(`/docs/${page}`)
      expect([status, headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8'])
      expect(body).toMatch(/^# /)
    }
  )

  it('links only to what the server has, in every page', async () => {
    const seen = new Set(['/docs/README.md', '/docs/images/overview.svg'])
    for (const path of seen) {
      const { status, headers, body } = await get(path)
      expect([path, status === 302 ? headers.location : status]).toEqual([
        path,
        expect.toBeOneOf([200, '../openapi.json'])
      ])
      if (!path.endsWith('.md')) continue
      const prose = String(body)
        .replace(/^```.*?^```/gms, '')
        .replace(/`[^`\n]*`/g, '')
      for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
        const { origin, pathname } = new URL(target, server.url + path)
        if (origin === server.url) seen.add(pathname)
      }
    }
    expect([...seen].filter((path) => path.startsWith('/docs/adr/')).length).toBeGreaterThan(30)
    const { body } = await get('/docs/README.md')
    expect(body).toContain('`ARCHITECTURE.md` of the repository')
    const image = await get('/docs/images/overview.svg')
    expect(image.headers['content-type']).toBe('image/svg+xml; charset=utf-8')
    const screenshot = await get('/docs/images/dashboard/features.png')
    expect(screenshot.headers['content-type']).toBe('image/png')
  })

  it('is a page for browsers, with the anchors that other pages link to', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const seen = new Set(['/docs/README.md'])
    const anchors = new Map<string, Set<string>>()
    const wanted: string[] = []
    for (const path of seen) {
      const { status, headers: answered, body } = await send(server, { path, headers })
      expect([path, status, answered['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8'])
      expect(answered.vary).toContain('Accept')
      const [, article = ''] = /<article>(.*)<\/article>/s.exec(body) ?? []
      expect(article).toMatch(/^<h1 id=/)
      anchors.set(path, new Set([...article.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)))
      for (const [, target = ''] of article.matchAll(/ href="([^"]+)"/g)) {
        const { origin, pathname, hash } = new URL(target, server.url + path)
        if (origin !== server.url || !pathname.endsWith('.md') || pathname.startsWith('/docs/adr/')) continue
        seen.add(pathname)
        if (hash) wanted.push(pathname + hash)
      }
    }
    expect(seen.size).toBeGreaterThan(40)
    expect(wanted.length).toBeGreaterThan(100)
    const isThere = (link: string) => {
      const [path = '', id = ''] = link.split('#')
      return anchors.get(path)?.has(decodeURIComponent(id)) ?? false
    }
    expect(wanted.filter((link) => !isThere(link))).toEqual([])
  })

  it('is found by its headings', async () => {
    const { body } = await get('/docs?q=approval%20covers')
    expect(body).toContain('<a href="docs/guides/approvals.md">Approvals</a>: What an approval covers')
    expect(body).toContain('1 result for')
  })

  it('is found with a slash at the end, too', async () => {
    const { status, headers } = await get('/docs/?q=rollout')
    expect([status, headers.location]).toEqual([308, '../docs?q=rollout'])
  })

  test.each([
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/guides/..%2f..%2fREADME.md',
    '/docs/adr',
    '/docs/adr/0001-own-lowdb-adapter'
  ])('is complete: %s is not served', async (path) => {
    expect((await get(path)).status).toBe(404)
  })
})
