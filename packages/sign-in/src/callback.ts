import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { SignInProgram } from './program.ts'
import { SignInError } from './signInError.ts'

/** The redirect URI of a sign-in: a server on the loopback interface (RFC 8252 §7.3). */
export interface Callback {
  /** The redirect URI, on a free port. */
  readonly address: string
  /**
   * Waits for the redirect with this state, and calls `finish` with its address; the page in the browser shows the
   * outcome. Requests with another state are rejected and have no effect.
   * @throws {SignInError} if no redirect arrives in time. Errors of `finish` propagate.
   */
  readonly wait: <T>(state: string, finish: (returnedTo: URL) => Promise<T>) => Promise<T>
  readonly close: () => void
}

/** Opens a callback that waits for a number of milliseconds. */
export async function openCallback(timeoutMs: number, program: SignInProgram): Promise<Callback> {
  let onReturn: ((url: URL, response: ServerResponse) => void) | undefined
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    const { method, url: target = '' } = request
    const url = URL.canParse(target, origin()) ? new URL(target, origin()) : undefined
    if (method !== 'GET' || url?.pathname !== PATH || !hasExpectedHost(request)) return sendPage(response, 404)
    if (onReturn) onReturn(url, response)
    else sendPage(response, 400)
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const origin = () => {
    const address = server.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  }
  // Another host name that resolves to this address could belong to a remote page (DNS rebinding).
  const hasExpectedHost = ({ headers: { host } }: IncomingMessage) => `http://${host}` === origin()
  return {
    address: `${origin()}${PATH}`,
    wait: (state, finish) => {
      return new Promise((resolve, reject) => {
        const timeout = setTimeout(() => {
          reject(new SignInError(`no sign-in within ${timeoutMs / 60_000} minutes: run ${program.name} login again`))
        }, timeoutMs)
        onReturn = (url, response) => {
          if (url.searchParams.get('state') !== state) return sendPage(response, 400)
          onReturn = undefined
          clearTimeout(timeout)
          const finished = finish(url)
          finished.then(resolve, reject)
          finished.then(
            () => sendPage(response, 200),
            () => sendPage(response, 400)
          )
        }
      })
    },
    close: () => {
      server.close()
      // Responses in progress are sent; idle connections would keep the process alive.
      server.closeIdleConnections()
    }
  }
}

const PATH = '/callback'

function sendPage(response: ServerResponse, status: 200 | 400 | 404): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      // The address contains the authorization code.
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
      'x-content-type-options': 'nosniff',
      connection: 'close'
    })
    .end(resultPage(status === 200))
}

function resultPage(isSignedIn: boolean): string {
  const [title, text] = isSignedIn
    ? ['Signed in', 'You can close this page and go back to the terminal.']
    : ['Not signed in', 'Go back to the terminal for details.']
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>`,
    `<body><h1>${title}</h1><p>${text}</p></body></html>`,
    ''
  ].join('\n')
}
