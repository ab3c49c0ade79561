import type { IncomingMessage } from 'node:http'

/** Answers whoever watches this program: whether it runs, and whether it can do its work. Nothing at other addresses. */
export async function healthOf(
  { method, url }: Pick<IncomingMessage, 'method' | 'url'>,
  prepare: () => Promise<void>
): Promise<Response | undefined> {
  if (method !== 'GET') return undefined
  if (url === '/livez') return status(200, 'ok')
  if (url !== '/readyz') return undefined
  return prepare().then(
    () => status(200, 'ok'),
    () => status(503, 'the keys of the Burgee server cannot be had')
  )
}

function status(code: number, said: string): Response {
  return Response.json({ status: said }, { status: code, headers: { 'cache-control': 'no-store' } })
}
