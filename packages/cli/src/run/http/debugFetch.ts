import { isRecord } from '@burgee/kit'
import { isSecretName } from '@burgee/kit/text'

/** Returns a `fetch` that describes each request and the status of its response. Secrets are masked. */
export function debugFetch(
  send: typeof fetch,
  { notice, now }: { readonly notice: (line: string) => void; readonly now: () => number }
): typeof fetch {
  return async (input, init) => {
    const start = now()
    notice(`> ${init?.method ?? 'GET'} ${maskText(String(input))}${formatBody(init?.body)}`)
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

function formatBody(body: RequestInit['body']): string {
  if (body instanceof URLSearchParams) return ` ${maskForm(body)}`
  return typeof body === 'string' ? ` ${maskBody(body)}` : ''
}

/** Returns a request for a token on one line: only the members that are known to contain no secret. */
function maskForm(form: URLSearchParams): string {
  return [...form].map(([name, value]) => `${name}=${PUBLIC_NAMES.has(name) ? value : MASKED}`).join('&')
}

const PUBLIC_NAMES: ReadonlySet<string> = new Set(['grant_type', 'client_id', 'subject_token_type', 'trust', 'scope'])

/** Returns a body on one line, with its secrets masked; an invalid one is left out. */
function maskBody(text: string): string {
  try {
    return maskText(JSON.stringify(maskSecrets(JSON.parse(text))))
  } catch {
    return '(a body that is not JSON)'
  }
}

/** Returns JSON with the values of members that can be secrets masked. */
export function maskSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskSecrets)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isSecretName(name) || CARRIERS.test(name) ? MASKED : maskSecrets(member)
    ])
  )
}

/** Masks SDK keys and the addresses of webhooks, which are not in members of their own. */
function maskText(text: string): string {
  return text.replace(SDK_KEY, `$1${MASKED}`)
}

const MASKED = '****'

/** Other members that can contain secrets: one-time codes, and URLs of webhooks and other systems. */
const CARRIERS = /^(url|code|endpoint|headers)$/i

const SDK_KEY = /\b((?:dvc_)?(?:server|client|mobile)[-_])[\w-]{16,}/g
