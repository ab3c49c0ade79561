import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { send, serve, type TestServer } from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { beforeAll, describe, expect, it, test } from 'vitest'

const PAGE = '<!doctype html><title>Dashboard</title>'

let server: TestServer
let dashboardDirectory: URL

beforeAll(async () => {
  const directory = await temporaryDirectory()
  await mkdir(join(directory, 'assets'))
  await writeFile(join(directory, 'index.html'), PAGE)
  await writeFile(join(directory, 'secret.txt'), 'not served')
  const assets = { 'main-a1.js': 'plain', 'main-a1.js.br': 'brotli', 'main-a1.js.gz': 'gzipped', 'look-b2.css': 'css' }
  for (const [name, content] of Object.entries(assets)) await writeFile(join(directory, 'assets', name), content)
  dashboardDirectory = pathToFileURL(`${directory}/`)
  server = await serve({}, { dashboard: 'on' }, NOW, { dashboardDirectory })
})

function get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  return send(server, { method, path, headers })
}

describe('the page of the dashboard', () => {
  test.each(['/', '/?a=b', '/o/', '/o//p/shop/features', '/o/x/p/shop/features/new.checkout/overview'])(
    'is served at %s with its policy',
    async (path) => {
      const { status, headers, body } = await get(path)
      expect([status, body]).toEqual([200, PAGE])
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; font-src 'none'; worker-src 'none'; object-src 'none'; frame-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'
      })
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
  )

  it('is not sent again while it is unchanged', async () => {
    const { headers } = await get('/')
    const again = await get('/o/x', { 'if-none-match': String(headers.etag) })
    expect([headers.etag, again.status, again.body]).toEqual([expect.stringMatching(/^"[\w-]{27}"$/), 304, undefined])
    expect((await get('/', { 'if-none-match': '"other"' })).status).toBe(200)
    const head = await get('/', {}, 'HEAD')
    expect([head.status, head.headers['content-length'], head.body]).toEqual([200, String(PAGE.length), undefined])
  })

  it('is linked from the pages of the reference', async () => {
    for (const path of ['/docs', '/docs?q=feature', '/docs/features', '/docs/schemas/Feature', '/docs/no/such/page']) {
      const [, href] = /<a class="dashboard" href="([^"]*)">Dashboard<\/a>/.exec(String((await get(path)).body)) ?? []
      expect(href, path).toBeDefined()
      expect(new URL(String(href), server.url + path).pathname, path).toBe('/')
    }
    const without = await serve({}, { dashboard: 'off' })
    expect((await send(without, { path: '/docs' })).body).not.toContain('class="dashboard"')
  })

  it('answers only GET and HEAD', async () => {
    for (const path of ['/', '/o/x', '/assets/main-a1.js']) {
      const { status, headers } = await get(path, {}, 'POST')
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
    }
  })
})

describe('an asset of the dashboard', () => {
  test.each([
    ['br, gzip', 'br', 'brotli'],
    ['gzip', 'gzip', 'gzipped'],
    ['br;q=0, gzip', 'gzip', 'gzipped'],
    ['identity', undefined, 'plain'],
    ['', undefined, 'plain']
  ])('is sent for Accept-Encoding "%s" as %s', async (accepted, encoding, content) => {
    const response = await fetch(`${server.url}/assets/main-a1.js`, {
      method: 'HEAD',
      headers: { 'accept-encoding': accepted }
    })
    expect([response.status, response.headers.get('content-encoding') ?? undefined]).toEqual([200, encoding])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': String(content.length),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding'
    })
  })

  it('is sent uncompressed if the build has no compressed file', async () => {
    const { status, headers, body } = await get('/assets/look-b2.css', { 'accept-encoding': 'br, gzip' })
    expect([status, headers['content-encoding'], body]).toEqual([200, undefined, 'css'])
  })

  test.each([
    'other-c3.js',
    '',
    'main-a1.js.br',
    '../index.html',
    '..%2Fsecret.txt',
    '../secret.txt',
    'main-a1.js/',
    '__proto__',
    '%00'
  ])('is 404 for %s', async (name) => {
    expect((await get(`/assets/${name}`)).status).toBe(404)
  })
})

describe('the setting BURGEE_DASHBOARD=off', () => {
  it('serves neither the dashboard nor its sessions', async () => {
    const off = await serve({}, { dashboard: 'off' }, NOW, { dashboardDirectory })
    const root = await send(off, { path: '/' })
    expect([root.status, root.headers.location]).toEqual([302, '/docs'])
    for (const path of ['/o/x', '/assets/main-a1.js', '/session/sign-in', '/session/api/v1/session']) {
      expect((await send(off, { path })).status).toBe(404)
    }
  })
})

it('is not served below a path, and the log names the reason', async () => {
  const publicUrl = 'https://example.com/flags'
  const below = await serve({}, { dashboard: 'on', publicUrl }, NOW, { dashboardDirectory })
  expect((await send(below, { path: '/' })).status).toBe(302)
  expect(below.logs.some((line) => line.includes('BURGEE_PUBLIC_URL has a path'))).toBe(true)
})
