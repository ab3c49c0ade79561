/** The parts of an OpenAPI document that the reference page shows. */
interface Document {
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationNode>>>>
  readonly servers: readonly { readonly url: string }[]
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  }
}

interface SecurityScheme {
  readonly in: string
  readonly name: string
  readonly description?: string
}

interface OperationNode {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly description?: string
    readonly schema: unknown
  }[]
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

type Content = { readonly 'application/json': { readonly schema: unknown } }

/** The API's reference as one page without scripts or assets, made from its OpenAPI document. */
export function referencePage(openApi: Readonly<Record<string, unknown>>): string {
  // The document comes from the contract's own generator, which writes these members.
  const document = openApi as unknown as Document
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
  )
  const title = `${document.info.title} ${document.info.version}: API reference`
  const contents = operations.map(({ method, path, operation }) => {
    return `<li><a href="#${operation.operationId}"><code>${method} ${escaped(path)}</code></a> ${escaped(operation.summary)}</li>`
  })
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => {
    return `<section id="schema-${escaped(name)}"><h3>${escaped(name)}</h3>${json(schema)}</section>`
  })
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>
<style>${style}</style></head><body><main><h1>${escaped(title)}</h1>
<p>Requests go to <code>${escaped(document.servers[0]?.url ?? '')}</code>. The same as data: <a href="/openapi.json">/openapi.json</a></p>
<p>An SDK key says which environment a request is for. Each operation names the places where it takes the key:</p>
<table>${Object.entries(document.components.securitySchemes)
    .map(([name, scheme]) => credential(name, scheme))
    .join('')}</table><nav><ul>${contents.join('\n')}</ul></nav>
${operations.map(({ method, path, operation }) => section(method, path, operation)).join('\n')}
<h2>Schemas</h2>${schemas.join('\n')}</main></body></html>`
}

const style = `
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 }
main { max-width: 56rem; margin: 0 auto; padding: 1rem }
section { border-top: 1px solid #8884; padding-top: 1rem }
pre { overflow-x: auto; padding: .75rem; background: #8881; border-radius: .25rem }
table { border-collapse: collapse } th, td { text-align: left; padding: .15rem 1rem .15rem 0; vertical-align: top }`

function credential(name: string, { in: place, name: member, description }: SecurityScheme): string {
  return `<tr><th><code>${escaped(name)}</code></th><td>${place} <code>${escaped(member)}</code></td><td>${escaped(description ?? '')}</td></tr>`
}

function section(method: string, path: string, operation: OperationNode): string {
  const { operationId, summary, description, tags, parameters, requestBody, responses, security } = operation
  const credentials = security.flatMap((scheme) => Object.keys(scheme)).map((name) => `<code>${name}</code>`)
  const inputs = parameters.map(({ name, in: place, required, description: says, schema }) => {
    return `<tr><th><code>${escaped(name)}</code></th><td>${place}${required ? ', required' : ''}</td><td>${named(schema)}</td><td>${escaped(says ?? '')}</td></tr>`
  })
  const answers = Object.entries(responses).map(([status, { description: says, content }]) => {
    return `<tr><th>${status}</th><td>${escaped(says)}</td><td>${content ? named(content['application/json'].schema) : ''}</td></tr>`
  })
  return `<section id="${operationId}"><h2><code>${method} ${escaped(path)}</code></h2>
<p><strong>${escaped(summary)}</strong> (${escaped(tags.join(', '))}, <code>${operationId}</code>)</p>
${description ? `<p>${escaped(description)}</p>` : ''}
<p>Credential: ${credentials.join(' or ')}</p>
${inputs.length > 0 ? `<h3>Parameters</h3><table>${inputs.join('')}</table>` : ''}
${requestBody ? `<h3>Body</h3><p>${named(requestBody.content['application/json'].schema)}</p>` : ''}
<h3>Answers</h3><table>${answers.join('')}</table></section>`
}

/** A link to a named schema, or the schema itself. */
function named(schema: unknown): string {
  const reference = typeof schema === 'object' && schema !== null && '$ref' in schema ? String(schema.$ref) : ''
  const name = reference.split('/').at(-1)
  return name ? `<a href="#schema-${escaped(name)}">${escaped(name)}</a>` : json(schema)
}

function json(value: unknown): string {
  return `<pre>${escaped(JSON.stringify(value, null, 2))}</pre>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
