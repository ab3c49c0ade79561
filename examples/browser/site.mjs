// Serves a page and its settings: the address of Burgee and the client key. The script is bundled at startup.
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const pageFolder = new URL('page/', import.meta.url)

/**
 * Starts serving a folder with an `index.html` and its resources. Returns the address and a function that stops the
 * server.
 */
export async function startSite({ burgeeUrl, clientKey, port = 0, folder = pageFolder }) {
  const files = {
    // A client key is public: it gives access only to flags that clients may read.
    '/settings.json': ['application/json', JSON.stringify({ burgeeUrl, clientKey })]
  }
  for (const name of await readdir(folder)) {
    const file = new URL(name, folder)
    if (name === 'index.html') files['/'] = ['text/html; charset=utf-8', await readFile(file)]
    else if (name.endsWith('.css')) files[`/${name}`] = ['text/css', await readFile(file)]
    else if (name.endsWith('.js')) files[`/${name}`] = ['text/javascript', await bundle(file)]
  }
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src data:',
    // The page fetches flags from Burgee, and opens its stream of changes.
    `connect-src 'self' ${new URL(burgeeUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join('; ')
  const server = createServer((request, response) => {
    const [type, content] = files[new URL(request.url, 'http://site').pathname] ?? []
    if (!type) return response.writeHead(404, { 'content-type': 'text/plain' }).end('File not found.\n')
    response
      .writeHead(200, {
        'content-type': type,
        'content-security-policy': policy,
        'cache-control': 'no-cache',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff'
      })
      .end(content)
  })
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    }
  }
}

/** Bundles a script with its imports. */
async function bundle(script) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(script)],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false
  })
  return outputFiles[0].contents
}
