import { isRecord } from '@burgee/kit'

/** Returns a `fetch` that describes each request and the status of its response. Secrets are masked. */
export function debugFetch(
  send: typeof fetch,
  { notice, now }: { readonly notice: (line: string) => void; readonly now: () => number }
): typeof fetch {
  return async (input, init) => {
    const start = now()
    const body = typeof init?.body === 'string' ? ` ${maskBody(init.body)}` : ''
    notice(`> ${init?.method ?? 'GET'} ${maskText(String(input))}${body}`)
    const describe = (outcome: string) => notice(`< ${outcome} after ${Math.round(now() - start)} ms`)
    try {
      const response = await send(input, init)
      const id = response.headers.get('x-request-id')
      describe(`${response.status}${id === null ? '' : ` (request ${id})`}`)
      return response
    } catch (error) {
      describe('no response')
      throw error
    }
  }
}

/** Returns a body on one line, with its secrets masked; an invalid one is left out. */
function maskBody(text: string): string {
  try {
    return maskText(JSON.stringify(mask(JSON.parse(text))))
  } catch {
    return '(a body that is not JSON)'
  }
}

function mask(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mask)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, SECRET_NAMES.test(name) ? MASKED : mask(member)])
  )
}

/** Masks SDK keys and the addresses of webhooks, which are not in members of their own. */
function maskText(text: string): string {
  return text.replace(SDK_KEY, `$1${MASKED}`)
}

const MASKED = '****'

/** Names of members with secrets. Addresses of webhooks and of other systems can contain one. */
const SECRET_NAMES = /password|secret|token|assertion|credential|apikey|^(url|code|endpoint|headers)$/i

const SDK_KEY = /\b((?:dvc_)?(?:server|client|mobile)[-_])[\w-]{16,}/g
