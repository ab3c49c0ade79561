/** The parts of an OpenAPI document that the reference page shows. */
interface Document {
  readonly info: { readonly title: string; readonly version: string }
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationNode>>>>
  readonly servers: readonly { readonly url: string }[]
  readonly components: Components
}

interface Components {
  readonly schemas: Readonly<Record<string, unknown>>
  readonly parameters: Readonly<Record<string, Parameter>>
  readonly responses: Readonly<Record<string, Answer>>
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
}

/** A reference to a component by its name, the last segment. */
interface Reference {
  readonly $ref: string
}

interface SecurityScheme {
  /** Where the credential belongs. OAuth schemes have none: access tokens go into `Authorization`. */
  readonly in?: string
  readonly name?: string
  readonly description?: string
}

interface OperationNode {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly tags: readonly string[]
  readonly parameters: readonly (Parameter | Reference)[]
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Answer | Reference>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: unknown
}

interface Answer {
  readonly description: string
  readonly content?: Content
}

/** The schema of each media type. */
type Content = Readonly<Record<string, { readonly schema: unknown }>>

/** Renders an OpenAPI document as one HTML page without scripts or assets. */
export function renderReferencePage(openApi: Readonly<Record<string, unknown>>): string {
  // The contract generates the document with these members.
  const document = openApi as unknown as Document
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
  )
  const title = `${document.info.title} ${document.info.version}: API reference`
  const contents = document.tags.map(({ name }) => {
    const lines = operations.filter(({ operation }) => operation.tags.includes(name)).map(line)
    return `<h2>${escaped(name)}</h2><ul>${lines.join('\n')}</ul>`
  })
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => {
    return `<section id="schema-${escaped(name)}"><h3>${escaped(name)}</h3>${json(schema)}</section>`
  })
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>
<style>${style}</style></head><body><main><h1>${escaped(title)}</h1>
<p>Requests go to <code>${escaped(document.servers[0]?.url ?? '')}</code>. As JSON: <a href="/openapi.json">/openapi.json</a></p>
<p>An SDK key identifies an environment; an access token identifies who manages flags. Each operation names its credential:</p>
<table>${Object.entries(document.components.securitySchemes)
    .map(([name, scheme]) => credential(name, scheme))
    .join('')}</table><nav>${contents.join('\n')}</nav>
${operations.map((addressed) => section(addressed, document.components)).join('\n')}
<h2>Schemas</h2>${schemas.join('\n')}</main></body></html>`
}

const style = `
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 }
main { max-width: 56rem; margin: 0 auto; padding: 1rem }
section { border-top: 1px solid #8884; padding-top: 1rem }
pre { overflow-x: auto; padding: .75rem; background: #8881; border-radius: .25rem }
table { border-collapse: collapse } th, td { text-align: left; padding: .15rem 1rem .15rem 0; vertical-align: top }`

function line({ method, path, operation }: Addressed): string {
  const { operationId, summary, deprecated } = operation
  return `<li><a href="#${operationId}"><code>${method} ${escaped(path)}</code></a> ${escaped(summary)}${deprecated ? ' (deprecated)' : ''}</li>`
}

interface Addressed {
  readonly path: string
  readonly method: string
  readonly operation: OperationNode
}

function credential(
  name: string,
  { in: place = 'header', name: member = 'Authorization', description }: SecurityScheme
): string {
  return `<tr><th><code>${escaped(name)}</code></th><td>${place} <code>${escaped(member)}</code></td><td>${escaped(description ?? '')}</td></tr>`
}

function section({ method, path, operation }: Addressed, components: Components): string {
  const { operationId, summary, description, tags, parameters, requestBody, responses, security } = operation
  const credentials = security.flatMap((scheme) => Object.keys(scheme)).map((name) => `<code>${name}</code>`)
  const inputs = parameters.map((parameter) => {
    const { name, in: place, required, description: says, schema } = resolved(parameter, components.parameters)
    return `<tr><th><code>${escaped(name)}</code></th><td>${place}${required ? ', required' : ''}</td><td>${named(schema)}</td><td>${escaped(says ?? '')}</td></tr>`
  })
  const answers = Object.entries(responses).map(([status, response]) => {
    const { description: says, content } = resolved(response, components.responses)
    return `<tr><th>${status}</th><td>${escaped(says)}</td><td>${content ? shapeIn(content) : ''}</td></tr>`
  })
  return `<section id="${operationId}"><h2><code>${method} ${escaped(path)}</code></h2>
<p><strong>${escaped(summary)}</strong> (${escaped(tags.join(', '))}, <code>${operationId}</code>)</p>
${description ? `<p>${prose(description)}</p>` : ''}
<p>Credential: ${credentials.join(' or ')}</p>
${inputs.length > 0 ? `<h3>Parameters</h3><table>${inputs.join('')}</table>` : ''}
${requestBody ? `<h3>Body</h3><p>${shapeIn(requestBody.content)}</p>` : ''}
<h3>Responses</h3><table>${answers.join('')}</table></section>`
}

function shapeIn(content: Content): string {
  return Object.values(content)
    .map(({ schema }) => named(schema))
    .join(' or ')
}

/** Resolves a reference to a component. */
function resolved<T extends object>(node: T | Reference, components: Readonly<Record<string, T>>): T {
  if (!('$ref' in node)) return node
  const component = components[nameIn(node)]
  if (!component) throw new Error(`the component ${node.$ref} does not exist`)
  return component
}

function nameIn({ $ref }: Reference): string {
  return $ref.slice($ref.lastIndexOf('/') + 1)
}

/** Renders a link to a named schema, or the schema itself. */
function named(schema: unknown): string {
  const name =
    typeof schema === 'object' && schema !== null && '$ref' in schema ? nameIn({ $ref: String(schema.$ref) }) : ''
  return name ? `<a href="#schema-${escaped(name)}">${escaped(name)}</a>` : json(schema)
}

function json(value: unknown): string {
  return `<pre>${escaped(JSON.stringify(value, null, 2))}</pre>`
}

/** Renders a description; text between backticks is code. */
function prose(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
