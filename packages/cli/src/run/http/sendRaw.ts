import { ApiError, type TokenSource } from '@burgee/contract/client'
import { parseJson } from '@burgee/kit'

/** A request to any path of a server. */
export interface RawRequest {
  readonly method: string
  /** Starts with a slash. */
  readonly path: string
  readonly query: Readonly<Record<string, readonly string[]>>
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
}

/** How requests reach a server. */
export interface Connection {
  readonly server: string
  readonly tokens: TokenSource
  readonly send: typeof fetch
}

/** Sends a request with an access token, and returns the body of the response: parsed if it is JSON. @throws {ApiError} */
export async function sendRaw(request: RawRequest, connection: Connection): Promise<unknown> {
  const text = await (await openRaw(request, connection)).text()
  return text === '' ? undefined : parseContent(text)
}

/**
 * Sends a request with an access token, and returns the response with its body unread. Repeats it once with a new token
 * if the first one is rejected, and follows no redirect.
 * @throws {ApiError}
 */
export async function openRaw(
  { method, path, query, headers, body }: RawRequest,
  { server, tokens, send }: Connection
): Promise<Response> {
  const name = `${method} ${path}`
  const url = new URL(server + path)
  for (const [member, texts] of Object.entries(query)) for (const text of texts) url.searchParams.append(member, text)
  const attempt = async () =>
    send(url, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
        authorization: `Bearer ${await tokens.getToken(name)}`
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual'
    })
  let response = await attempt()
  if (response.status === 401 && tokens.invalidate()) response = await attempt()
  if (response.ok) return response
  throw new ApiError(name, response.status, parseContent(await response.text()), response.headers)
}

function parseContent(text: string): unknown {
  const parsed = parseJson(text)
  return parsed === undefined ? text : parsed
}
