import type { Destination } from './destination.ts'

/** Describes a failed request for users, without addresses or secrets. */
export function describeFailure(error: unknown, { host }: Destination): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const words = CONNECTION[code]
  if (words) return `${host} ${words}`
  if (code.startsWith('HPE_')) return `${host} answered something that is not HTTP (${code})`
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') return `${host} did not respond with TLS (${code})`
  if (code.startsWith('ERR_TLS') || CERTIFICATE.test(code)) return `the certificate of ${host} is not valid (${code})`
  if (code.startsWith('ERR_')) return `the request cannot be sent (${code})`
  return code === '' ? `${host} closed the connection without a response` : `${host} could not be reached (${code})`
}

const CONNECTION: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection without a response',
  EPIPE: 'closed the connection without a response',
  ETIMEDOUT: 'did not accept the connection in time',
  HPE_HEADER_OVERFLOW: 'answered with headers of more than 16 KiB',
  ERR_SSL_WRONG_VERSION_NUMBER: 'did not respond with TLS'
}

/** Codes of Node.js for certificates that it rejects. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_/
