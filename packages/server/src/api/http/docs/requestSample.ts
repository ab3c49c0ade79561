import { toReadableJson } from './format.ts'
import { bodyOf, type JsonSchema, resolveRef } from './openApi.ts'
import type { OperationEntry, Reference } from './reference.ts'

/** A sample request to an operation, with values from the examples of the contract. */
interface RequestSample {
  readonly curl: string
  /** Runs as a module in Node.js. */
  readonly javaScript: string
}

/** Creates the sample of an operation. It reads the credential from an environment variable. */
export function createRequestSample(operation: OperationEntry, reference: Reference): RequestSample {
  const { method, body, credentials, responses } = operation
  const request: SampleRequest = {
    method,
    address: `${reference.serverUrl}${samplePath(operation, reference)}${sampleQuery(operation, reference)}`,
    authorization: AUTHORIZATIONS[credentials[0] ?? ''],
    body: body && toReadableJson(exampleOf(body, reference) ?? {}),
    responseType: responses.map(([, { content }]) => bodyOf(content)?.type).find(Boolean),
    hasResult: responses.some(([status, { content }]) => status.startsWith('2') && content)
  }
  return { curl: toCurl(request), javaScript: toJavaScript(request) }
}

interface SampleRequest {
  readonly method: string
  /** May contain environment variables in shell syntax: `$BURGEE_SDK_KEY`. */
  readonly address: string
  /** May contain environment variables, for example `address`. */
  readonly authorization: string | undefined
  readonly body: string | undefined
  readonly responseType: string | undefined
  readonly hasResult: boolean
}

/** Credential → value of the header `Authorization`. */
const AUTHORIZATIONS: Readonly<Record<string, string>> = {
  sdkKey: '$BURGEE_SDK_KEY',
  token: 'Bearer $BURGEE_TOKEN'
}

function toCurl({ method, address, authorization, body, responseType }: SampleRequest): string {
  const flags = `${isStreamed(responseType) ? '--no-buffer ' : ''}${method === 'GET' ? '' : `--request ${method} `}`
  return [
    `curl ${flags}"${address}"`,
    ...(authorization ? [`--header "Authorization: ${authorization}"`] : []),
    ...(body ? [`--header 'Content-Type: application/json'`, `--data '${body.replaceAll("'", "'\\''")}'`] : [])
  ].join(' \\\n  ')
}

function toJavaScript({ method, address, authorization, body, responseType, hasResult }: SampleRequest): string {
  const headers = [
    ...(authorization ? [`authorization: ${quote(authorization)}`] : []),
    ...(body ? [`'content-type': 'application/json'`] : [])
  ]
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} }`] : []),
    ...(body ? [`body: JSON.stringify(${body.replaceAll('\n', '\n  ')})`] : [])
  ]
  const call = `fetch(${quote(address)}${options.length > 0 ? `, {\n  ${options.join(',\n  ')}\n}` : ''})`
  return `const response = await ${call}\n${readResult(responseType, hasResult)}`
}

function readResult(responseType: string | undefined, hasResult: boolean): string {
  if (isStreamed(responseType)) {
    return 'for await (const text of response.body.pipeThrough(new TextDecoderStream())) console.log(text)'
  }
  return hasResult ? 'console.log(response.status, await response.json())' : 'console.log(response.status)'
}

function isStreamed(type: string | undefined): boolean {
  return type !== undefined && type !== 'application/json'
}

/** Formats text as a JavaScript expression; `$NAME` becomes `process.env.NAME`. */
function quote(text: string): string {
  const expression = text.replace(/\$(\w+)/g, (_, name: string) => `\${process.env.${name}}`)
  if (expression === text) return `'${text}'`
  return expression.replace(/^\$\{([\w.]+)\}$/, '$1') === expression ? `\`${expression}\`` : expression.slice(2, -1)
}

function samplePath({ path, parameters, credentials }: OperationEntry, reference: Reference): string {
  // Operations without a credential have the SDK key in their path.
  if (credentials.length === 0) return path.replace('{key}', '$BURGEE_SDK_KEY')
  return path.replace(/([^/]*)\/\{(\w+)\}/g, (_, collection: string, name: string) => {
    const schema = parameters.find((parameter) => parameter.name === name)?.schema
    const value = KEYS[collection] ?? (schema && exampleOf(schema, reference)) ?? `YOUR_${name.toUpperCase()}`
    return `${collection}/${encodeURIComponent(String(value))}`
  })
}

/** Collection → key of its item in the contract's examples. The path parameters are all named `key`. */
const KEYS: Readonly<Record<string, string>> = {
  projects: 'shop',
  environments: 'production',
  features: 'new-checkout',
  audiences: 'beta-testers',
  variations: 'variation-on',
  metrics: 'purchases',
  edgedb: 'ada',
  optIns: 'ada'
}

function sampleQuery({ parameters }: OperationEntry, reference: Reference): string {
  const query = new URLSearchParams()
  for (const { name, in: location, required, schema } of parameters) {
    if (location !== 'query' || !required) continue
    query.set(name, String(QUERY[name] ?? exampleOf(schema, reference) ?? schema.enum?.[0] ?? name))
  }
  return query.size > 0 ? `?${query}` : ''
}

/** Required query parameters whose schemas have no example. */
const QUERY: Readonly<Record<string, string>> = {
  user_id: 'ada',
  feature: 'new-checkout',
  environment: 'production',
  startDate: '2026-03-01',
  endDate: '2026-03-08'
}

/** Returns the first example of a schema, or of the schema that it names. */
export function exampleOf(schema: JsonSchema, { schemas }: Reference): unknown {
  return schema.examples?.[0] ?? (schema.$ref ? resolveRef(schema, schemas).examples?.[0] : undefined)
}
