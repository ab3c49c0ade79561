import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serve } from './processes.mjs'

const executable = fileURLToPath(new URL('../packages/server/dist/main.js', import.meta.url))

const administrator = { client_id: 'conformance-admin', client_secret: 'the-secret-of-the-conformance-tests' }

/** Starts the built server with its tools, and the project `shop` with the feature `checkout`. */
export async function startProduct() {
  const directory = await mkdtemp(join(tmpdir(), 'burgee-conformance-'))
  const args = [executable, '--port', '0', '--mcp', '--store', `file:${directory}`]
  const { url, stop } = await serve(args, /^burgee-server listening on (\S+)$/m, {
    BURGEE_ADMIN_CLIENT_ID: administrator.client_id,
    BURGEE_ADMIN_CLIENT_SECRET: administrator.client_secret,
    BURGEE_CLIENT_ID_DOCUMENTS: '1',
    // The server warns about refused requests, which are intended here.
    BURGEE_LOG_LEVEL: 'error'
  })
  const grant = new URLSearchParams({ grant_type: 'client_credentials', ...administrator })
  const { access_token: token } = await (await fetch(`${url}/oauth/token`, { method: 'POST', body: grant })).json()

  const post = async (path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`)
  }
  await post('/v1/projects', { key: 'shop', name: 'Shop' })
  await post('/v2/projects/shop/features', { key: 'checkout', name: 'Checkout' })
  return {
    /** The issuer of tokens, in the server's spelling. */
    issuer: `${url}/`,
    mcpUrl: `${url}/mcp`,
    token,
    /** The environment variables for `burgee-mcp`. */
    settings: {
      SERVICE_API_URL: url,
      SERVICE_CLIENT_ID: administrator.client_id,
      SERVICE_CLIENT_SECRET: administrator.client_secret,
      SERVICE_PROJECT_KEY: 'shop'
    },
    stop: async () => {
      await stop()
      await rm(directory, { recursive: true })
    }
  }
}
