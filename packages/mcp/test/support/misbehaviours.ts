import type { ServerResponse } from 'node:http'

/** Responds with JSON. */
export const sayJson =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

/** Responds with an HTML page. */
export const sayPage = (status: number, body: string) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'text/html' }).end(body)
}

/** Ways in which the API can misbehave, and the failures that assistants receive. */
export const misbehaviours = [
  {
    what: 'an answer of another shape',
    does: sayJson(200, [{ key: 'project not found' }], { count: '1' }),
    errorType: 'SCHEMA_VALIDATION_ERROR',
    says: /the response of listFeatures does not match the API: .*_id should be a string, got nothing/,
    suggests:
      'Check that SERVICE_API_URL is the address of a Burgee server, and that it has the same version as this tool server.'
  },
  {
    what: 'a response that is not JSON',
    does: sayPage(200, '<p>404</p>'),
    errorType: 'SCHEMA_VALIDATION_ERROR',
    says: /the response of listFeatures does not match the API/,
    suggests:
      'Check that SERVICE_API_URL is the address of a Burgee server, and that it has the same version as this tool server.'
  },
  {
    what: 'a token that the API takes no more',
    does: sayJson(401, { statusCode: 401, message: 'jwt expired: project not found' }),
    errorType: 'AUTHENTICATION_ERROR',
    says: /^jwt expired: project not found$/,
    suggests: 'Locally: sign in again with "burgee-mcp login", or check SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET.'
  },
  {
    what: 'an answer that there were too many',
    does: sayJson(429, { statusCode: 429, message: 'slow down' }, { 'retry-after': '7' }),
    errorType: 'RATE_LIMIT_ERROR',
    says: /^slow down$/,
    suggests: 'Wait 7 seconds and try again.'
  },
  {
    what: 'a connection that ends without an answer',
    does: (response: ServerResponse) => response.destroy(),
    errorType: 'NETWORK_ERROR',
    says: /^the Burgee server closed the connection before it answered: /,
    suggests: 'Check that the Burgee server is running, and that SERVICE_API_URL is its address.'
  },
  {
    what: 'an answer that ends before its end',
    does: (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('[')
      setTimeout(() => response.destroy(), 20)
    },
    errorType: 'NETWORK_ERROR',
    says: /./,
    suggests: 'Check that the Burgee server is running, and that SERVICE_API_URL is its address.'
  },
  {
    what: 'an answer that leads elsewhere',
    does: (response: ServerResponse) => response.writeHead(302, { location: 'https://example.com/' }).end(),
    errorType: 'NETWORK_ERROR',
    says: /./,
    suggests: 'Check that the Burgee server is running, and that SERVICE_API_URL is its address.'
  },
  {
    what: 'a failure of the server, regardless of its message,',
    does: sayJson(500, { statusCode: 500, message: 'project not found: 404, unauthorized, network' }),
    errorType: 'UNKNOWN_ERROR',
    says: /^project not found: 404, unauthorized, network$/
  },
  {
    what: 'what stands before a server that is not there',
    does: sayPage(502, '<h1>Bad</h1>'),
    errorType: 'UNKNOWN_ERROR',
    says: /^listFeatures returned 502 with HTML$/,
    suggests: 'Wait a minute and try again.'
  },
  {
    what: 'a server that says when it will be back',
    does: sayJson(503, { statusCode: 503, message: 'starting' }, { 'retry-after': '9' }),
    errorType: 'UNKNOWN_ERROR',
    says: /^starting$/,
    suggests: 'Wait 9 seconds and try again.'
  }
]
