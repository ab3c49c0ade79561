import type { IncomingMessage } from 'node:http'

/** Handles `/livez` and `/readyz`. Returns `undefined` for other paths. */
export async function handleHealth(
  { method, url }: Pick<IncomingMessage, 'method' | 'url'>,
  prepare: () => Promise<void>
): Promise<Response | undefined> {
  if (method !== 'GET') return undefined
  if (url === '/livez') return status(200, 'ok')
  if (url !== '/readyz') return undefined
  return prepare().then(
    () => status(200, 'ok'),
    () => status(503, 'the keys of the Burgee server cannot be loaded')
  )
}

function status(code: number, text: string): Response {
  return Response.json({ status: text }, { status: code, headers: { 'cache-control': 'no-store' } })
}
