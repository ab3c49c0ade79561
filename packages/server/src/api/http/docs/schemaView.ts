import { Html, html } from '../../../lib/html.ts'
import { formatProse } from './format.ts'
import { type JsonSchema, refName } from './openApi.ts'

/**
 * Renders the members of an object schema, or the type of any other schema. `root` is the relative path to the root.
 */
export function renderSchema(schema: JsonSchema, root: string): Html {
  const members = Object.entries(schema.properties ?? {})
  if (members.length === 0)
    return html`<p class="type">${renderType(schema, root)}</p>${renderInlineObjects(schema, root)}`
  const required = new Set(schema.required)
  return html`<dl>${members.map(([name, member]) => renderMember(name, member, required.has(name), root))}</dl>`
}

/** Renders a parameter, or a member of an object. */
export function renderMember(
  name: string,
  schema: JsonSchema,
  isRequired: boolean,
  root: string,
  description = schema.description
): Html {
  return html`<div><dt><code>${name}</code>${isRequired && html`<span class="required">required</span>`}</dt><dd>
<p class="type">${renderType(schema, root)}</p>${description && html`<p>${formatProse(description)}</p>`}${renderInlineObjects(schema, root)}</dd></div>`
}

/** Renders the type of a schema in one line: `array of Feature`, `"on" or "off"`, `string (at most 100 characters)`. */
export function renderType(schema: JsonSchema, root: string): Html {
  const { $ref, items, anyOf, oneOf, allOf, type, additionalProperties } = schema
  if ($ref) return html`<a href="${root}docs/schemas/${refName($ref)}">${refName($ref)}</a>`
  if ('const' in schema) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.enum)
    return join(
      schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      ' or '
    )
  const alternatives = anyOf ?? oneOf
  if (alternatives)
    return join(
      alternatives.map((each) => renderType(each, root)),
      ' or '
    )
  if (allOf)
    return join(
      allOf.map((each) => renderType(each, root)),
      ' and '
    )
  if (items) return html`array of ${renderType(items, root)}${constraints(schema)}`
  if (typeof additionalProperties === 'object' && !schema.properties && Object.keys(additionalProperties).length > 0) {
    return html`map of ${renderType(additionalProperties, root)}`
  }
  return html`${[type ?? 'any JSON'].flat().join(' or ')}${constraints(schema)}`
}

function join(parts: readonly Html[], separator: string): Html {
  return html`${parts.map((part, index) => (index > 0 ? html`${separator}${part}` : part))}`
}

function constraints({ format, pattern, ...limits }: JsonSchema): Html {
  const length = range(limits.minLength, limits.maxLength)
  const count = range(limits.minItems, limits.maxItems)
  const value = range(limits.minimum, limits.maximum === Number.MAX_SAFE_INTEGER ? undefined : limits.maximum)
  const parts = [
    format && html`${format}`,
    value && html`${value}`,
    length && html`${length} characters`,
    count && html`${count} items`,
    pattern && html`<code>${pattern}</code>`
  ].filter((part) => part instanceof Html)
  return parts.length > 0 ? html` (${join(parts, ', ')})` : html``
}

function range(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  if (minimum !== undefined) return `at least ${minimum}`
  return maximum === undefined ? '' : `at most ${maximum}`
}

/** Renders the inline object schemas of a schema, collapsed. */
function renderInlineObjects(schema: JsonSchema, root: string): Html {
  return html`${inlineObjects(schema).map(
    (object) => html`<details><summary>Members</summary>${renderSchema(object, root)}</details>`
  )}`
}

function inlineObjects(schema: JsonSchema): readonly JsonSchema[] {
  if (schema.properties) return Object.keys(schema.properties).length > 0 ? [schema] : []
  const { additionalProperties, items, anyOf = [], oneOf = [], allOf = [] } = schema
  const inside = typeof additionalProperties === 'object' ? [additionalProperties] : []
  return [...inside, ...(items ? [items] : []), ...anyOf, ...oneOf, ...allOf].flatMap(inlineObjects)
}
