import { type Html, html } from '../../../lib/html.ts'
import { formatCode, formatPath, formatProse, toReadableJson } from './format.ts'
import { bodyOf, type JsonSchema, type ResponseNode, resolveRef } from './openApi.ts'
import type { OperationEntry, Reference } from './reference.ts'
import { createRequestSample, exampleOf } from './requestSample.ts'
import { renderMember, renderSchema, renderType } from './schemaView.ts'

/** Renders an operation as a list item: its method, summary and path, with a link to its section. */
export function renderOperationLine({ id, method, path, summary, isDeprecated }: OperationEntry, page: string): Html {
  return html`<li><span class="method ${method}">${method}</span><span><a href="${page}#${id}">${summary}</a>${
    isDeprecated && html`<span class="tag">deprecated</span>`
  }</span><code>${formatPath(path)}</code></li>`
}

/** Renders the full description of an operation. */
export function renderOperation(operation: OperationEntry, reference: Reference, root: string): Html {
  const { id, method, path, summary, description, isDeprecated, parameters, body, credentials } = operation
  const sample = createRequestSample(operation, reference)
  return html`<section id="${id}"><h2>${summary}${isDeprecated && html`<span class="tag">deprecated</span>`}</h2>
<p class="endpoint"><span class="method ${method}">${method}</span><code>${formatPath(path)}</code></p>
${description && html`<p>${formatProse(description)}</p>`}
<p class="dim">${
    credentials.length > 0
      ? html`Credential: ${credentials.map((name, index) => html`${index > 0 && ' or '}<a href="${root}docs#credentials"><code>${name}</code></a>`)}`
      : 'The path contains the SDK key; other credentials are ignored.'
  } · Operation <a href="#${id}"><code>${id}</code></a></p>
${
  parameters.length > 0 &&
  html`<h3>Parameters</h3><dl>${parameters.map((parameter) =>
    renderMember(
      parameter.name,
      parameter.schema,
      parameter.required ?? false,
      root,
      [`In the ${parameter.in}.`, parameter.description].filter(Boolean).join(' ')
    )
  )}</dl>`
}${body && html`<h3>Body: ${renderType(body, root)}</h3>${fold('Members', renderSchema(resolveRef(body, reference.schemas), root))}`}
<h3>Request</h3><details open><summary>curl</summary>${formatCode(sample.curl)}</details>
<details><summary>JavaScript</summary>${formatCode(sample.javaScript)}</details>
${renderResponses(operation, reference, root)}</section>`
}

function renderResponses({ responses }: OperationEntry, reference: Reference, root: string): Html {
  const successes = responses.filter(([status]) => Number(status) < 400)
  const errors = responses.filter(([status]) => Number(status) >= 400)
  const line = ([status, { description, content }]: readonly [string, ResponseNode]) => {
    const body = bodyOf(content)
    return html`<div><dt><code>${status}</code></dt><dd><p>${description}${
      body &&
      html` <span class="type">${renderType(body.schema, root)}${body.type !== 'application/json' && `, ${body.type}`}</span>`
    }</p></dd></div>`
  }
  const example = successes.map(([, { content }]) => exampleOfBody(bodyOf(content)?.schema, reference))[0]
  return html`<h3>Responses</h3><dl>${successes.map(line)}</dl>${example !== undefined && fold('Example', formatCode(toReadableJson(example)))}
${errors.length > 0 && fold(`Errors: ${errors.map(([status]) => status).join(', ')}`, html`<dl>${errors.map(line)}</dl>`)}`
}

function exampleOfBody(schema: JsonSchema | undefined, reference: Reference): unknown {
  if (!schema) return undefined
  const item = schema.items && exampleOf(schema.items, reference)
  return exampleOf(schema, reference) ?? (item === undefined ? undefined : [item])
}

/** Renders collapsed content as `<details>`, which needs no script. */
export function fold(title: string, content: Html): Html {
  return html`<details><summary>${title}</summary>${content}</details>`
}
