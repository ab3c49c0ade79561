import { send, serve } from '@burgee/testing/harness'
import { freePort } from '@burgee/testing/system/freePort'
import { describe, expect, it } from 'vitest'

const TOKEN = 'a-token-for-the-metrics'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('/metrics', () => {
  it('cannot be read by scripts of other origins', async () => {
    const server = await serve({})
    const headers = { origin: 'https://evil.example' }
    const answer = await send(server, { path: '/metrics', headers })
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, undefined])
    const asked = {
      ...headers,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization'
    }
    const preflight = await send(server, { method: 'OPTIONS', path: '/metrics', headers: asked })
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, undefined])
  })

  it('requires the token of the setting', async () => {
    const server = await serve({}, { metricsToken: TOKEN })
    for (const headers of [{}, bearer(''), bearer('wrong'), bearer(`${TOKEN}x`), bearer(TOKEN.slice(1))]) {
      const { status, headers: answered, body } = await send(server, { path: '/metrics', headers })
      expect([status, answered['www-authenticate']]).toEqual([401, 'Bearer realm="metrics"'])
      expect(body).toEqual({ statusCode: 401, message: expect.stringContaining('BURGEE_METRICS_TOKEN') })
      expect(JSON.stringify(body)).not.toContain(TOKEN)
    }
    expect((await send(server, { path: '/metrics', headers: bearer(TOKEN) })).body).toContain('burgee_configs')
    expect((await send(server, { path: '/livez' })).status).toBe(200)
  })

  it('has a port of its own, which serves nothing else', async () => {
    const metricsPort = await freePort()
    const server = await serve({}, { metricsPort, metricsToken: TOKEN })
    const own = { port: metricsPort }
    expect((await send(server, { path: '/metrics', headers: bearer(TOKEN) })).status).toBe(404)
    expect((await send(own, { path: '/metrics' })).status).toBe(401)
    const answer = await send(own, { path: '/metrics', headers: bearer(TOKEN) })
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, undefined])
    expect(answer.body).toContain('burgee_configs')
    for (const path of ['/livez', '/docs', '/v1/projects']) expect((await send(own, { path })).status).toBe(404)
    await server.close()
    await expect(send(own, { path: '/metrics' })).rejects.toThrow('ECONNREFUSED')
  })
})
