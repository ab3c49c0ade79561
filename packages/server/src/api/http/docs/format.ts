import { type Html, html } from '../../../lib/html.ts'

/** Formats text in which backticks mark code. */
export function formatProse(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

/** Formats a path that can wrap before its slashes. */
export function formatPath(path: string): Html {
  return html`${path.split('/').map((part, index) => (index > 0 ? html`<wbr>/${part}` : part))}`
}

/** Formats a block of code. It can scroll, so that the keyboard has to reach it. */
export function formatCode(code: string): Html {
  return html`<pre tabindex="0"><code>${code}</code></pre>`
}

/** Formats a value as JSON. Arrays and objects that fit on a line stay on one line. */
export function toReadableJson(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ')
  if (line.length + indent.length <= MAX_LINE_LENGTH || typeof value !== 'object' || value === null) return line
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const items = Object.entries(value).map(([key, item]) => {
    return `${inner}${Array.isArray(value) ? '' : `${JSON.stringify(key)}: `}${toReadableJson(item, inner)}`
  })
  return `${open}\n${items.join(',\n')}\n${indent}${close}`
}

const MAX_LINE_LENGTH = 76
