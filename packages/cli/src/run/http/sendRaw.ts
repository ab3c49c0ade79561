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

interface Connection {
  readonly server: string
  readonly tokens: TokenSource
  readonly send: typeof fetch
}

/**
 * Sends a request with an access token, and returns the body of the response: parsed if it is JSON. Repeats it once with
 * a new token if the first one is rejected, and follows no redirect.
 * @throws {ApiError}
 */
export async function sendRaw(
  { method, path, query, headers, body }: RawRequest,
  connection: Connection
): Promise<unknown> {
  const { server, tokens, send } = connection
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
  const text = await response.text()
  const parsed = parseJson(text)
  const content = parsed === undefined ? text : parsed
  if (!response.ok) throw new ApiError(name, response.status, content, response.headers)
  return text === '' ? undefined : content
}
