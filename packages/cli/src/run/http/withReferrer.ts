import { version } from '../../version.ts'

/** Names this program and its command to the server, for the audit log. */
export function withReferrer(send: typeof fetch, command: string): typeof fetch {
  const metadata = JSON.stringify({ caller: 'cli', command, version })
  return (input, init) => {
    return send(input, {
      ...init,
      headers: { ...init?.headers, 'burgee-referrer': 'cli', 'burgee-referrer-metadata': metadata }
    })
  }
}
