import { html } from '../../../lib/html.ts'
import { formatCode, formatProse, toReadableJson } from './format.ts'
import { renderReferencePage } from './layout.ts'
import type { JsonSchema } from './openApi.ts'
import { fold, renderOperation, renderOperationLine } from './operationView.ts'
import type { Heading, Reference } from './reference.ts'
import { renderSchema } from './schemaView.ts'
import { type DocumentedPage, searchReference } from './searchReference.ts'

/** Renders the first page: how to authenticate, and all operations by heading. */
export function renderIndexPage(reference: Reference): string {
  const body = html`<h1>${reference.title}</h1>
<p>Requests go to <code>${reference.serverUrl}</code>. Other formats: <a href="openapi.json">OpenAPI document</a>,
<a href="llms.txt">llms.txt</a> for language models, and <a href="docs/README.md">guides</a>, which are Markdown for programs.</p>
<h2 id="credentials">Credentials</h2>
<p>An SDK key selects the environment of a request; an access token grants access to the management API.</p>
<dl>${reference.credentials.map(
    ({ name, location, member, description }) =>
      html`<div><dt><code>${name}</code></dt><dd><p class="type">${location} <code>${member}</code></p>${
        description && html`<p>${formatProse(description)}</p>`
      }</dd></div>`
  )}</dl>
${reference.headings.map(
  ({ name, slug, operations }) =>
    html`<h2><a href="docs/${slug}">${name}</a></h2><ul class="operations">${operations.map((operation) =>
      renderOperationLine(operation, `docs/${slug}`)
    )}</ul>`
)}`
  return renderReferencePage(reference, { title: reference.title, root: '', body })
}

/** Renders the operations and schemas that contain every word of a query. */
export function renderSearchPage(reference: Reference, pages: readonly DocumentedPage[], query: string): string {
  const { headings, schemas, sections, count } = searchReference(reference, pages, query)
  const body = html`<h1>${count === 0 ? 'No results' : count === 1 ? '1 result' : `${count} results`} for “${query}”</h1>
${count === 0 && html`<p>Search compares paths, summaries, descriptions, operation ids, names of schemas and of their members, and headings of guides. <a href="docs">See all operations</a>.</p>`}
${headings.map(
  ({ name, slug, operations }) =>
    html`<h2><a href="docs/${slug}">${name}</a></h2><ul class="operations">${operations.map((operation) =>
      renderOperationLine(operation, `docs/${slug}`)
    )}</ul>`
)}${schemas.length > 0 && html`<h2>Schemas</h2><ul>${schemas.map(({ name, members }) => html`<li>${schemaLink(name, '')}${members.length > 0 && html`: ${members.join(', ')}`}</li>`)}</ul>`}${
  sections.length > 0 &&
  html`<h2>Guides (Markdown)</h2><ul>${sections.map(({ path, title, heading }) => html`<li><a href="docs/${path}">${title}</a>${heading !== undefined && `: ${heading}`}</li>`)}</ul>`
}`
  return renderReferencePage(reference, { title: `${query}: ${reference.title}`, root: '', body, query })
}

/** Renders the operations of a heading. */
export function renderHeadingPage(reference: Reference, { name, slug, operations }: Heading): string {
  const body = html`<h1>${name}</h1><ul class="operations">${operations.map((operation) => renderOperationLine(operation, ''))}</ul>
${operations.map((operation) => renderOperation(operation, reference, '../'))}`
  return renderReferencePage(reference, { title: `${name}: ${reference.title}`, root: '../', body, current: slug })
}

/** Renders a list of all schemas. */
export function renderSchemasPage(reference: Reference): string {
  const body = html`<h1>Schemas</h1>${schemaList(Object.keys(reference.schemas).sort(), '../')}`
  return renderReferencePage(reference, { title: `Schemas: ${reference.title}`, root: '../', body, current: 'schemas' })
}

/** Renders a schema: its members, an example, and its usages. */
export function renderSchemaPage(reference: Reference, name: string, schema: JsonSchema): string {
  const root = '../../'
  const example = schema.examples?.[0]
  const users = Object.entries(reference.schemas).filter(([, other]) => refersTo(other, name))
  const usedBy = reference.headings.flatMap(({ slug, operations }) =>
    operations
      .filter(({ body, responses }) => refersTo([body, responses], name))
      .map((operation) => renderOperationLine(operation, `${root}docs/${slug}`))
  )
  const body = html`<h1>${name}</h1>${schema.description && html`<p>${formatProse(schema.description)}</p>`}
${renderSchema(schema, root)}${example !== undefined && html`<h2>Example</h2>${formatCode(toReadableJson(example))}`}
${usedBy.length > 0 && html`<h2>Operations</h2><ul class="operations">${usedBy}</ul>`}
${
  users.length > 0 &&
  html`<h2>Part of</h2>${schemaList(
    users.map(([user]) => user),
    root
  )}`
}
<h2>JSON Schema</h2>${fold('Show', formatCode(toReadableJson(schema)))}`
  return renderReferencePage(reference, { title: `${name}: ${reference.title}`, root, body, current: 'schemas' })
}

/** Renders the error page for a path below `/docs` without a page. */
export function renderMissingPage(reference: Reference, path: string): string {
  const root = '../'.repeat(path.split('/').length)
  const body = html`<h1>Not found</h1><p>The reference has no page “${path}”. Search for it, choose a heading, or go to the
<a href="${root}docs">list of all operations</a>. <a href="${root}llms.txt">llms.txt</a> lists the guides.</p>`
  return renderReferencePage(reference, { title: `Not found: ${reference.title}`, root, body })
}

function schemaList(names: readonly string[], root: string) {
  return html`<ul class="names">${names.map((name) => html`<li>${schemaLink(name, root)}</li>`)}</ul>`
}

function schemaLink(name: string, root: string) {
  return html`<a href="${root}docs/schemas/${name}">${name}</a>`
}

/** Whether a part of the document refers to a schema. */
function refersTo(node: unknown, name: string): boolean {
  return JSON.stringify(node).includes(`"#/components/schemas/${name}"`)
}
