import type { ServerResponse } from 'node:http'

interface Details {
  readonly headers?: Readonly<Record<string, string>>
  /** Of JSON-RPC. */
  readonly code?: number
}

/** A request to the endpoint that is refused, as JSON-RPC says it. */
export function refusal(status: number, message: string, { headers, code = -32_000 }: Details = {}): Response {
  const body = { jsonrpc: '2.0', error: { code, message }, id: null }
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })
}

/** Sends an answer that is whole. */
export async function reply(answer: Response, response: ServerResponse): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer())
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), 'content-length': body.length })
  response.end(body)
}
