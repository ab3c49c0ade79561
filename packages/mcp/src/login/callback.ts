import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { resultPage } from './resultPage.ts'
import { SignInError } from './signInError.ts'

/** Where the browser returns to when somebody has signed in. */
export interface Callback {
  /** The address to return to: on this computer, on a port of its own (RFC 8252, section 7.3). */
  readonly address: string
  /**
   * Waits for the return and does `finish` with its address; the page that the browser ends on tells how that went. Whoever
   * comes without this state did not come from where they were sent, and changes nothing.
   * @throws {SignInError} when nobody has come in time, or else whatever `finish` does.
   */
  readonly wait: <T>(state: string, finish: (returnedTo: URL) => Promise<T>) => Promise<T>
  readonly close: () => void
}

/** Waits on this computer for a browser, for so many milliseconds. */
export async function openCallback(patienceMs: number): Promise<Callback> {
  let onReturn: ((url: URL, response: ServerResponse) => void) | undefined
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    const { method, url: target = '' } = request
    const url = URL.canParse(target, origin()) ? new URL(target, origin()) : undefined
    if (method !== 'GET' || url?.pathname !== PATH || !isAddressed(request)) return answer(response, 404)
    if (onReturn) onReturn(url, response)
    else answer(response, 400)
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const origin = () => {
    const address = server.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  }
  // A name that leads here is not this address: a page elsewhere could have made one up.
  const isAddressed = ({ headers: { host } }: IncomingMessage) => `http://${host}` === origin()
  return {
    address: `${origin()}${PATH}`,
    wait: (state, finish) => {
      return new Promise((resolve, reject) => {
        const limit = setTimeout(() => {
          reject(
            new SignInError(`nobody has signed in within ${patienceMs / 60_000} minutes: run burgee-mcp login again`)
          )
        }, patienceMs)
        onReturn = (url, response) => {
          if (url.searchParams.get('state') !== state) return answer(response, 400)
          onReturn = undefined
          clearTimeout(limit)
          const finished = finish(url)
          finished.then(resolve, reject)
          finished.then(
            () => answer(response, 200),
            () => answer(response, 400)
          )
        }
      })
    },
    close: () => {
      server.close()
      // What was answered goes out; a browser that keeps its connection open holds nobody up.
      server.closeIdleConnections()
    }
  }
}

const PATH = '/callback'

function answer(response: ServerResponse, status: 200 | 400 | 404): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      // Its address has the code.
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
      'x-content-type-options': 'nosniff',
      connection: 'close'
    })
    .end(resultPage(status === 200))
}
