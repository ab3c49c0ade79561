import type { OutboundRequest, SafeFetch } from '../../lib/outbound/safeFetch.ts'
import type { Span, Tracing } from './tracing.ts'

/**
 * Traces outbound requests. Spans contain only the host of the URL, because webhook paths are secrets. The trace
 * context is not sent to the receiver.
 */
export function traceFetch(send: SafeFetch, tracing: Pick<Tracing, 'trace'>): SafeFetch {
  return (request, signal) =>
    tracing.trace({ name: 'POST', kind: 'client', attributes: attributesOf(request) }, async (span) => {
      const result = await send(request, signal)
      if (result.type === 'failed') span.fail('no_answer')
      else setStatus(span, result.status)
      return result
    })
}

function attributesOf({ url }: OutboundRequest) {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  return { 'http.request.method': 'POST', ...(host ? { 'server.address': host } : {}) }
}

function setStatus(span: Span, status: number): void {
  span.set({ 'http.response.status_code': status })
  if (status >= 400) span.fail(String(status))
}
